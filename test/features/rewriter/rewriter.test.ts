import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { rewriter } from '../../../src/core/layers/rewriter.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { echo } from '../../support/http/echo.ts'
import { exchange } from '../../support/http/exchange.ts'
import { expressVersions } from '../../support/http/guarded.ts'

interface JsonServer {
  rewriter(rules: object): unknown
}

const jsonServer: JsonServer = createRequire(import.meta.url)('json-server')
const [[, express5], [, express4]] = expressVersions

/** The rules of the service document, and the two that the shipped routes file adds. */
const SHIPPED = {
  '/api/v1/*': '/$1',
  '/api/products/search/:term': '/products?name_like=:term',
  '/api/companies/:id/full': '/companies/:id?_embed=products',
  '/health': '/health-check',
  '/api/dashboard/stats': '/stats',
  '/auth/login': '/login',
  '/public/*': '/$1',
}

const README = {
  '/api/*': '/$1',
  '/:resource/:id/show': '/:resource/:id',
  '/posts/:category': '/posts?category=:category',
  '/articles\\?id=:id': '/posts/:id',
}

/** `/:p0?/:p1?…` */
function optional(count: number): string {
  return Array.from({ length: count }, (_, n) => `/:p${n}?`).join('')
}

async function ask(layer: unknown, url: string, make = express5) {
  const { port } = await echo([layer], make)
  const answer = await exchange(port, { method: 'GET', path: url })
  return JSON.parse(answer.body)
}

describe('rewriter, where json-server 0.17.4 agrees', () => {
  const cases: [rules: Record<string, string>, urls: string[]][] = [
    [
      SHIPPED,
      [
        '/api/v1/products',
        '/api/v1/products/1',
        '/api/v1/products?price_gte=10&_page=2',
        '/api/v1/products/',
        '/api/v1/',
        '/api/v1',
        '/API/V1/Products',
        '/api/v1/a%20b/c%2Fd',
        '/api/v1//products',
        '/api/products/search/shoe',
        '/api/products/search/shoe/',
        '/api/products/search/caf%C3%A9%20bar',
        '/api/products/search/a%26b%3Dc',
        '/api/products/search/a%3Fb',
        '/api/products/search',
        '/api/companies/7/full',
        '/api/companies/7',
        '/health',
        '/health/',
        '/healthy',
        '/api/dashboard/stats',
        '/auth/login',
        '/public/products',
        '/public/products/1?_expand=company',
        '/products',
        '/products?_page=1',
        '/',
        '/?a=1',
        '/api/v1/api/products/search/shoe',
        '/public/api/v1/products',
      ],
    ],
    [
      README,
      [
        '/api/posts',
        '/api/posts/1/show',
        '/posts/1/show',
        '/posts/js',
        '/articles?id=1',
        '/articles',
        '/a/b/c',
      ],
    ],
    [
      { '/articles?id=:id': '/posts/:id' },
      ['/articles?id=1', '/articles?id=', '/articles', '/articles?ID=a%20b'],
    ],
    [
      { '/a?x=:x&y=:y': '/b/:x/:y', '/q\\?*': '/p?$1' },
      ['/a?x=1&y=2', '/a?x=1', '/q?a=1', '/q?a=1&b=2', '/q'],
    ],
    [
      { '/posts/:id(\\d+)': '/articles/:id' },
      ['/posts/1', '/posts/one', '/posts/12/', '/posts/1a', '/POSTS/7'],
    ],
    [{ '/:a-:b': '/pair/:b/:a' }, ['/x-y', '/x-y-z', '/x', '/-', '/--', '/x-']],
    [
      { '/files/*/raw/*': '/$2/$1' },
      ['/files/a/raw/b', '/files/a/b/raw/c/d', '/files/a', '/files/raw/raw/raw/raw'],
    ],
    [{ '/users*': '/600/users$1' }, ['/users', '/users/1', '/users?name=a', '/usersabc', '/user']],
    [
      { '/:kind/:id.json': '/:kind/:id', '/x.:ext': '/y/:ext' },
      ['/posts/1.json', '/posts/1', '/x.a', '/x.a.b', '/x'],
    ],
    [
      { '/tree/:path+': '/flat/:path', '/any/:rest*': '/some' },
      ['/tree/a', '/tree/a/b/c', '/tree', '/any', '/any/a/b'],
    ],
    [{ '/(posts|articles)/:id': '/items/$2' }, ['/posts/1', '/articles/2', '/comments/3', '/posts']],
    [{ '/posts(\\?.*)': '/articles$1' }, ['/posts?a=1&b=2', '/posts']],
    [{ '/a': '/b', '/b': '/c', '/c': '/a' }, ['/a', '/b', '/c']],
    [{ '/whole/:x': '$0/:x' }, ['/whole/1']],
    [{ '/same/:x/:x': '/got/:x' }, ['/same/1/2']],
    [{ '*': '/all' }, ['/', '/anything/at/all']],
    [{ '/open/': '/closed' }, ['/open', '/open/', '/open//']],
    [{ '/odd(1)+.^{x}': '/even' }, ['/odd1.^%7Bx%7D', '/odd11.%5E{x}', '/odd']],
  ]
  const rows = cases.flatMap(([rules, urls]) => urls.map((url) => ({ url, rules })))

  it.each(rows)('makes the same of $url', async ({ url, rules }) => {
    const theirs = await ask(jsonServer.rewriter(rules), url, express4)
    for (const [, make] of expressVersions) {
      expect((await ask(rewriter(rules), url, make)).url).toBe(theirs.url)
    }
  })
})

describe.each(expressVersions)('rewriter in %s', (_, make) => {
  it.each([
    // The client's query, which 0.17.4 loses or swallows, is kept.
    [SHIPPED, '/api/products/search/shoe?_page=1', '/products?name_like=shoe&_page=1'],
    [SHIPPED, '/api/companies/7/full?a=1&a=2', '/companies/7?_embed=products&a=1&a=2'],
    [SHIPPED, '/health?verbose', '/health-check?verbose'],
    [README, '/posts/js?_page=1&_limit=2', '/posts?category=js&_page=1&_limit=2'],
    [{ '/apps': '/posts' }, '/apps?views=9', '/posts?views=9'],
    [{ '/apps': '/posts' }, '/apps?', '/posts?'],
    // What the rule sets, the client cannot widen, however it spells the name.
    [SHIPPED, '/api/products/search/a?name_like=b&x=1', '/products?name_like=a&x=1'],
    [
      SHIPPED,
      '/api/products/search/a?name%5Flike=b&name_like[]=c&name_like%5B0%5D=d',
      '/products?name_like=a',
    ],
    [SHIPPED, '/api/products/search/a?x=%E0%A4%A&&b', '/products?name_like=a&x=%E0%A4%A&b'],
    // A piece of the path stays one value in a query.
    [SHIPPED, '/api/products/search/a&price=1', '/products?name_like=a%26price%3D1'],
    [SHIPPED, '/api/products/search/C++', '/products?name_like=C%2B%2B'],
    [{ '/by/:field/:value': '/posts?:field=:value' }, '/by/a=b/c=d', '/posts?a%3Db=c%3Dd'],
    [{ '/search/*': '/posts?$1' }, '/search/a=1&b=2?c=3', '/posts?a=1&b=2&c=3'],
    // A piece of the query stays one segment in a path.
    [{ '/articles?id=:id': '/posts/:id' }, '/articles?id=a?b=c', '/posts/a%3Fb=c'],
    [{ '/articles?id=:id': '/posts/:id' }, '/articles?id=a+b', '/posts/a%20b'],
    [{ '/articles?id=:id(.*)': '/posts/:id' }, '/articles?id=../x', '/posts/..%2Fx'],
    // Parameters are found wherever they stand, and the others kept.
    [{ '/articles?id=:id': '/posts/:id' }, '/articles?id=1&_embed=comments', '/posts/1?_embed=comments'],
    [{ '/articles\\?id=:id': '/posts/:id' }, '/articles?a=1&id=7&b=2', '/posts/7?a=1&b=2'],
    [{ '/a?x=:x&y=:y': '/b/:x/:y' }, '/a?y=2&x=1', '/b/1/2'],
    [{ '/a?x=:x': '/b?z=:x' }, '/a?x=1%262', '/b?z=1%262'],
    // An optional piece that is not there is empty, not "undefined".
    [{ '/posts/:id?': '/articles/:id' }, '/posts', '/articles/'],
    [{ '/posts(\\?.*)?': '/articles$1' }, '/posts', '/articles'],
    [{ '/api*': '$1' }, '/api', '/'],
  ])('with %j rewrites %s: %s', async (rules, url, wanted) => {
    const { port, seen } = await echo([rewriter(rules)], make)
    await exchange(port, { method: 'GET', path: url })

    expect(seen[0]).toMatchObject({ url: wanted, originalUrl: url })
    const parameters = new URLSearchParams(wanted.split('?')[1])
    expect(Object.keys(Object(seen[0]?.query)).sort()).toEqual([...new Set(parameters.keys())].sort())
  })

  it('gives the new query to a request that keeps its query as a value', async () => {
    const own = (req: object, _res: object, next: () => void) => {
      Object.defineProperty(req, 'query', { value: { old: '1' }, writable: true, configurable: true })
      next()
    }
    const { port, seen } = await echo([own, rewriter(SHIPPED)], make)
    await exchange(port, { method: 'GET', path: '/api/products/search/shoe?a=1' })
    expect(seen[0]?.query).toEqual({ name_like: 'shoe', a: '1' })
  })

  it.each([
    ['the rules', SHIPPED],
    ['an empty object when there are none', {}],
  ])('shows %s at /__rules', async (_case, rules) => {
    const { port } = await echo([rewriter(rules)], make)
    const answer = await exchange(port, { method: 'GET', path: '/__rules?x=1' })
    expect(answer.headers['content-type']).toMatch('application/json')
    expect(JSON.parse(answer.body)).toEqual(rules)
  })

  it.each([
    ['POST', '/__rules'],
    ['GET', '/__rules/1'],
    ['GET', '/__rulesx'],
  ])('lets %s %s through', async (method, path) => {
    const { port, seen } = await echo([rewriter(SHIPPED)], make)
    await exchange(port, { method, path })
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['/__service', '/__service'],
    ['/__events?x=1', '/__events?x=1'],
    ['/__servicex', '/v1/__servicex'],
    ['/posts', '/v1/posts'],
  ])('leaves requests of the page about the server alone, whatever a rule says: %s', async (path, url) => {
    const { port, seen } = await echo([rewriter({ '/*': '/v1/$1' })], make)
    await exchange(port, { method: 'GET', path })
    expect(seen[0]?.url).toBe(url)
  })

  it('rewrites every method alike', async () => {
    const { port, seen } = await echo([rewriter(SHIPPED)], make)
    await exchange(port, { method: 'POST', path: '/auth/login' })
    expect(seen[0]?.url).toBe('/login')
  })
})

describe('rewriter', () => {
  it.each([
    [{ '/:a:b:c:d:e/x': '/' }, `/${'a'.repeat(14_000)}`],
    [{ '/x(a+)+y': '/' }, `/x${'a'.repeat(14_000)}`],
    [{ '/:x(a|aa)+/y': '/' }, `/${'a'.repeat(14_000)}`],
    [{ '/*/a/*/b/*/c/*/d': '/' }, `/${'x/a/b/c/'.repeat(1_700)}`],
    [{ '/:a-:b-:c-:d': '/' }, `/${'-a'.repeat(7_000)}//`],
    [{ '/:a-x-:b-x-:c': '/' }, `/${'-x-'.repeat(4_600)}//`],
    [{ '/:a+/x/:b+/y': '/' }, `/${'x/'.repeat(7_000)}`],
    [{ [`/o${optional(27)}`]: '/' }, `/o${'/a'.repeat(13)}//`],
    [{ [`/o${optional(50)}`]: '/' }, `/o${'/a'.repeat(25)}//`],
    [{ [`/o${optional(50)}`]: '/' }, `/o/${'a'.repeat(14_000)}//`],
    [{ [`/o${optional(4)}/:r*`]: '/' }, `/o${'/a'.repeat(6_000)}//`],
    [{ [`/o/:r*${optional(4)}`]: '/' }, `/o${'/a'.repeat(6_000)}//`],
    [{ '/q?b=:a:b:c:d!': '/' }, `/q?${'b=aaaaaaaaaa&'.repeat(500)}b=${'a'.repeat(6_000)}`],
  ])('is not blocked by %j', async (rules, url) => {
    const { port, seen } = await echo([rewriter(rules)])
    const start = cpuTime()
    await exchange(port, { method: 'GET', path: url })
    expect(cpuTime() - start).toBeLessThan(1_000)
    expect(seen[0]?.url === url).toBe(true)
  })

  it.each([4, 5, 27])('reads %i optional parameters from the left', async (count) => {
    const layer = rewriter({ [`/o${optional(count)}`]: '/items?a=:p0&b=:p1&c=:p2&d=:p3' })
    expect((await ask(layer, '/o/1/2/3/')).url).toBe('/items?a=1&b=2&c=3&d=')
    expect((await ask(layer, '/o')).url).toBe('/items?a=&b=&c=&d=')
  })

  it.each<[unknown, string]>([
    [
      { [`/o${optional(51)}`]: '/' },
      'larger than 1000 characters, 50 parameters and 1000 steps; split it into several rules',
    ],
    [{ [`/${'a'.repeat(1000)}`]: '/' }, 'larger than 1000 characters'],
    [{ '/:a(b{999}b{999})': '/' }, 'larger than 1000 characters, 50 parameters and 1000 steps'],
    [null, 'one object'],
    [['/a'], 'one object'],
    ['/a', 'one object'],
    [{ '/a': 1 }, '"/a": the target must be a string'],
    [{ '/a': '' }, 'the target is empty'],
    [
      { '/a/:id': '/b/:name' },
      '"/a/:id": "/b/:name" cannot work: the target uses :name, which the pattern does not have; it has :id',
    ],
    [{ '/a/*': 'http://localhost:4000/$1' }, 'leads to a path of this server, such as "/posts"'],
    [{ '/a/:id/*': '/b/$3' }, 'the target uses $3, which the pattern does not have; it has :id, $2'],
    [{ '/a': '/b/:x' }, 'it captures nothing'],
    [{ '/a/:id([)': '/b' }, 'the pattern is not a valid regular expression'],
    [{ '/a/:id(a{2,1})': '/b' }, 'the pattern is not a valid regular expression'],
    [{ '/a/:x(.)(\\1)': '/b' }, 'the pattern is not a valid regular expression'],
  ])('refuses the rules %j', (rules, message) => {
    const build = () => Reflect.apply(rewriter, undefined, [rules])
    expect(build).toThrow(ConfigError)
    expect(build).toThrow(message)
    expect(build).not.toThrow('\n')
  })
})
