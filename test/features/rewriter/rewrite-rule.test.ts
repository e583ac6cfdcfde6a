import { createRequire } from 'node:module'
import querystring from 'node:querystring'
import fc from 'fast-check'
import qs from 'qs'
import { describe, expect, it } from 'vitest'
import { compileRule } from '../../../src/core/layers/parts/rewrite-rule.ts'
import { parseQueryString } from '../../../src/core/router/query/query-string.ts'
import { folderOf } from '../../support/folder.ts'
import { exchange } from '../../support/http/exchange.ts'
import { serve } from '../../support/http/serve.ts'
import { runs } from '../../support/length.ts'

const require = createRequire(import.meta.url)
const oldExpress = createRequire(
  createRequire(require.resolve('json-server/package.json')).resolve('express'),
)
const oldQs: typeof qs = oldExpress('qs')

/** All that may read the query behind a rewriter, in this server and in the apps of others. */
const parsers: readonly (readonly [string, (text: string) => Readonly<Record<string, unknown>>])[] = [
  ['our own', parseQueryString],
  ['qs', (text) => qs.parse(text, { allowPrototypes: true })],
  ['the qs of Express 4', (text) => oldQs.parse(text, { allowPrototypes: true })],
  ["Node's", (text) => querystring.parse(text)],
  ['URLSearchParams', (text) => Object.fromEntries(new Map(several(new URLSearchParams(text))))],
]

function several(params: URLSearchParams): [string, unknown][] {
  return [...params.keys()].map((name) => [
    name,
    params.getAll(name).length > 1 ? params.getAll(name) : params.get(name),
  ])
}

/** The same name, with some of its letters encoded. */
function encodings(name: string): fc.Arbitrary<string> {
  const letters = [...name].map((letter) => {
    const code = letter.charCodeAt(0).toString(16)
    return fc.constantFrom(letter, letter, `%${code}`, `%${code.toUpperCase()}`)
  })
  return fc.tuple(...letters).map((all) => all.join(''))
}

const BRACKETS = fc.constantFrom('[', ']', '%5B', '%5d', '[]', '[0]', '[x]', '[[', ']]', '=', '', '', '')
const NOISE = fc.constantFrom('', '', '+', '%20', '.', '%', '%zz', '?', '#', '_like', '_ne', 'x')

function spellings(name: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      NOISE,
      BRACKETS,
      encodings(name),
      BRACKETS,
      BRACKETS,
      NOISE,
      fc.constantFrom('=bob', '=', '', '==bob'),
    )
    .map((parts) => parts.join(''))
}

const RULES = [
  ['/my/orders', '/orders?owner=ann', '/my/orders'],
  ['/mine/*', '/$1?owner=ann&_sort=id', '/mine/orders'],
  ['/of/:kind', '/:kind?_limit=2&owner=ann', '/of/orders'],
  ['/q?by=:by', '/orders?sort=:by&owner=ann', '/q?by=x'],
  ['/all/*', '/orders?$1&owner=ann', '/all/x=1'],
  ['/whole(\\?.*)', '/orders$1&owner=ann', '/whole?a=1'],
] as const

describe.each(parsers)('a parameter that a rule sets, as %s reads it', (_, parse) => {
  it.each(RULES)('stands with "%s": "%s", however the client spells it', (pattern, target, url) => {
    const rewrite = compileRule(pattern, target)
    const property = fc.property(fc.array(spellings('owner'), { minLength: 1, maxLength: 4 }), (sent) => {
      const asked = `${url}${url.includes('?') ? '&' : '?'}${sent.join('&')}`
      const made = rewrite(asked)?.url ?? ''
      expect(parse(made.slice(made.indexOf('?') + 1)).owner, `${asked} became ${made}`).toBe('ann')
    })
    fc.assert(property, runs(120, 3000))
  })
})

describe('what the client writes elsewhere', () => {
  it.each([
    [
      '/my/orders/:id',
      '/orders/:id?owner=ann',
      '/my/orders/1%3Fowner=bob',
      '/orders/1%3Fowner=bob?owner=ann',
    ],
    [
      '/my/orders/:id',
      '/orders/:id?owner=ann',
      '/my/orders/1%26owner=bob',
      '/orders/1%26owner=bob?owner=ann',
    ],
    ['/my/orders', '/orders?owner=ann', '/my/orders?[owner]=bob&owner[]=bob&owner=bob', '/orders?owner=ann'],
    ['/my/orders', '/orders?owner=ann', '/my/orders?owner%5B[%zz=bob&%5Bowner]][%=bob', '/orders?owner=ann'],
    ['/my/*', '/$1?owner=ann', '/my/orders#x', '/orders%23x?owner=ann'],
    ['/my/*', '/$1?owner=ann', '/my/orders#?owner=bob', '/orders%23?owner=ann'],
    ['/by/:name', '/orders?owner=:name', '/by/ann&owner=bob', '/orders?owner=ann%26owner%3Dbob'],
    ['/by/:name', '/orders?owner=:name', '/by/ann%26owner=bob?owner=eve', '/orders?owner=ann%26owner%3Dbob'],
    ['/by/:field/:value', '/orders?owner=ann&:field=:value', '/by/owner/bob', '/orders?owner=ann'],
    ['/one', '/orders?id=1', '/one?ids=2&ids[]=3&id=4&name=x', '/orders?id=1&name=x'],
    ['/my/orders', '/orders?owner=ann', '/my/orders?owner_eq=b&owner:eq=b&Ow_ner=b', '/orders?owner=ann'],
    ['/dear', '/orders?price_gt=5', '/dear?price:gt=1&price_lt=9', '/orders?price_gt=5&price_lt=9'],
    ['/one', '/orders?id=2', '/one?id_eq=1&id:in=1', '/orders?id=2&id:in=1'],
    ['/found', '/orders?filter={"q":"x"}', '/found?q=y&name=z', '/orders?filter={"q":"x"}&name=z'],
    ['/top', '/orders?_limit=2', '/top?_end=9&_page=2', '/orders?_limit=2&_page=2'],
    ['/some', '/orders?ids=1&ids=2', '/some?id=4', '/orders?ids=1&ids=2'],
    ['/mine', '/orders?optIn=yes', '/mine?opt_in=no&OptIn=no&opt-in_eq=no&x=1', '/orders?optIn=yes&x=1'],
    ['/mine', '/orders?opt_in=yes', '/mine?optIn=no&opt_in_ne=x', '/orders?opt_in=yes&opt_in_ne=x'],
    ['/mine', '/orders?_ownerId=1', '/mine?_owner_id=2', '/orders?_ownerId=1'],
    ['/one', '/orders?Id=1', '/one?Ids=2', '/orders?Id=1'],
    ['/best', '/orders?_sortField=x&_limit=1', '/best?_sort=y', '/orders?_sortField=x&_limit=1'],
    ['/top', '/orders?_limit=2', '/top?[_limit]=9&_page=2', '/orders?_limit=2&_page=2'],
  ])('with "%s": "%s" %s becomes %s', (pattern, target, url, wanted) => {
    expect(compileRule(pattern, target)(url)?.url).toBe(wanted)
  })
})

it('does not expose rows that a rule filters out', async () => {
  const orders = [
    { id: 1, owner: 'ann' },
    { id: 2, owner: 'bob' },
  ]
  const home = folderOf({
    'routes.json': { '/my/orders': '/orders?owner=ann', '/my/*': '/$1?owner=ann' },
  })
  const server = await serve({ data: { orders }, routes: `${home}/routes.json` })
  const property = fc.asyncProperty(spellings('owner'), async (sent) => {
    for (const path of [`/my/orders?${sent}`, `/my/orders${sent.startsWith('#') ? sent : ''}`]) {
      const { status, body } = await exchange(server.port, { method: 'GET', path })
      expect([200, 400, 404], path).toContain(status)
      expect(body, path).not.toContain('bob')
    }
  })
  await fc.assert(property, runs(50, 3000))
})
