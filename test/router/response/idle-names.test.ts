import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { ResponseCache } from '../../../src/router/response/response-cache.ts'
import { Engine } from '../../../src/storage/engine/engine.ts'
import { asking } from '../../support/http/asking.ts'
import { serving } from '../../support/http/serving.ts'
import { runs } from '../../support/length.ts'

const naming = { id: 'id', foreignKeySuffix: '_id' }
const rows = () =>
  Array.from({ length: 30 }, (_, at) => ({
    id: at + 1,
    size: at % 3,
    name: `p${at}`,
    company_id: (at % 3) + 1,
  }))
const companies = () => [1, 2, 3].map((id) => ({ id, name: `c${id}` }))

async function serve(
  data: ConstructorParameters<typeof Engine>[0] = { products: rows(), companies: companies() },
) {
  const engine = new Engine(data, naming)
  const ask = asking(await serving(create().use(router(engine))))
  return { engine, ask, read: vi.spyOn(engine, 'read') }
}

type Ask = Awaited<ReturnType<typeof serve>>['ask']

/** All that clients see, but for what differs from server to server. */
async function seen(ask: Ask, path: string) {
  const { status, headers, body } = await ask('GET', path)
  // How long it took differs.
  if (path.includes('_explain')) return { ...body, ms: 0 }
  const link = headers.get('link')?.replace(/:\d+/g, '')
  return { status, body, link, etag: headers.get('etag'), total: headers.get('x-total-count') }
}

const PATHS = ['/products?size=1', '/products?_page=2&_limit=5&_sort=name', '/products/7']

describe('a parameter that names no field', () => {
  it.each(PATHS.flatMap((path) => ['v', '_', 'w=1&_'].map((name) => [name, path])))(
    '%s does not make %s be read again, whatever its value',
    async (name, path) => {
      const { ask, read } = await serve()
      const bust = (value: number) => seen(ask, `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`)
      const first = await bust(1)
      await bust(2)
      read.mockClear()
      const third = await bust(3)
      expect(third).toEqual({ ...first, link: first.link?.replaceAll(`${name}=1`, `${name}=3`) })
      expect(read).not.toHaveBeenCalled()
    },
  )

  it.each<[string, readonly string[]]>([
    ['repeated', ['v=1', 'v=2', 'v=3&v=4', '_=1&_=2', '_=1&v=1', '_=2&v=2', '_=3&v=3']],
    ['an object', ['v=1', 'v=2', 'v[gte]=3', '_=1', '_[gte]=1&_strict=true']],
    ['with an operator', ['v_gt=1', 'v_gt=2', 'v_gt=3']],
    ['beside another', ['v=1', 'v=2', 'v=3&w=1', 'v=4&size=1', 'v=5&size=2']],
    ['beside a word', ['v=1', 'v=2', 'v=3&_strict=true', 'v=4&_strict=false']],
    ['beside _explain', ['v=1', 'v=2&_explain=true']],
    [
      'of a field of parents',
      ['company.name=c1', ...['c1', 'c2'].map((c) => `company.name=${c}&_expand=company`)],
    ],
    [
      'that some clients send as JSON',
      ['sort=name', 'sort=["name","ASC"]', 'sort=["name","DESC"]', 'range=1', 'range=[0,1]', 'range=[0,2]'],
    ],
    ['that JSON names', ['filter={"name_like":null}', 'name_like=p1', 'name_like=p2']],
    ['twice', ['v=1&filter={"v":1}&_strict=true', 'v=2&filter={"v":1}&_strict=true']],
    ['after many others', [`${'abcdefghij'.replace(/./g, 'zzz$&=1&')}nmae=1`, 'nmae=2&_strict=true']],
    [
      'of the parent in the path',
      ['/companies?product_id=1', '/products/1/companies?product_id=1&_strict=true'],
    ],
    ['of an inherited name', ['v=1', 'v=2', 'toString=1', '__proto__=1', 'constructor=2']],
  ])('gets the answers that it gets from a new server: %s', async (_, queries) => {
    const { ask } = await serve()
    for (const query of [...queries, ...queries]) {
      const path = query.startsWith('/') ? query : `/products?${query}`
      expect(await seen(ask, path), query).toEqual(await seen((await serve()).ask, path))
    }
  })

  it('is a filter for a request that waited for another while a row got the field', async () => {
    const { ask, engine, read } = await serve()
    const path = (value: number) => `/products?size=1&v=${value}`
    await seen(ask, path(1))
    const asked = vi.spyOn(ResponseCache.prototype, 'fetch')
    onTestFinished(() => asked.mockRestore())
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const readNow = Engine.prototype.read.bind(engine)
    read.mockImplementationOnce(async (...question: Parameters<typeof readNow>) => {
      const found = await readNow(...question)
      await gate
      return found
    })
    const both = [2, 3].map((value) => seen(ask, path(value)))
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
    await ask('PATCH', '/products/2', { v: 3 })
    letGo()
    const [, waited] = await Promise.all(both)
    expect(waited?.body).toEqual([{ ...rows()[1], v: 3 }])
  })

  it('is a filter once a row has the field, and none when it is gone', async () => {
    const { ask } = await serve()
    const count = async (value: number) => (await seen(ask, `/products?v=${value}`)).body.length
    expect([await count(1), await count(2), await count(3)]).toEqual([30, 30, 30])
    await ask('PATCH', '/products/7', { v: 2 })
    expect([await count(1), await count(2), await count(3), await count(2)]).toEqual([0, 1, 0, 1])
    await ask('PUT', '/products/7', { size: 1 })
    expect([await count(1), await count(2), await count(3)]).toEqual([30, 30, 30])
  })

  it('makes no difference to random requests and writes', async () => {
    const name = fc.constantFrom(
      ...[
        'v',
        'w',
        '_',
        'size',
        'name',
        'v_gt',
        '_limit',
        '_page',
        '_sort',
        '_expand',
        'company.name',
        'sort',
        'company',
      ],
    )
    const value = fc.constantFrom('1', '2', 'p3', 'v', '', 'company', 'c2', '["name","DESC"]')
    const parameter = fc.tuple(name, value).map((pair) => pair.join('='))
    const path = fc.constantFrom('/products', '/products/3')
    const get = fc
      .tuple(path, fc.array(parameter, { maxLength: 3 }))
      .map(([at, all]) => `${at}?${all.join('&')}`)
    const write = fc.record(
      { v: fc.constantFrom(1, 2, 'p3'), w: fc.constantFrom(1, 2) },
      { requiredKeys: [] },
    )
    const step = fc.oneof({ weight: 8, arbitrary: get }, { weight: 1, arbitrary: write })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { ask, engine } = await serve()
        for (const one of steps) {
          if (typeof one === 'object') await ask('PUT', '/products/3', one)
          else expect(await seen(ask, one)).toEqual(await seen((await serve(engine.database)).ask, one))
        }
      }),
      runs(6),
    )
  })
})
