import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, start } from '../../../src/index.ts'

const products = Array.from({ length: 25 }, (_, at) => ({
  id: at + 1,
  name: `${at % 2 ? 'Chair' : 'table'} ${at + 1}`,
  price: 25 - at,
  company_id: 1 + (at % 3),
  ...(at < 3 ? { sold: at === 1 ? null : '2026' } : {}),
}))
const companies = [1, 2, 3].map((id) => ({
  id,
  name: `c${id}`,
  hq: { lat: id - 2 },
  tags: [`t${id}`, 'all'],
}))
/** Names that are words elsewhere. */
const odd = [
  { id: 1, price: 5, price_gt: 7, _where: 'x', _per_page: '2', _perPage: 'p', _sortField: 's', '-price': 2 },
  { id: 2, price: 9, price_gt: 9, _where: 'y', _per_page: '3', _perPage: 'q', _sortField: 't', '-price': 1 },
]

const wordy = [
  { id: 1, gt: 1, in: 1, null: 1, or: 1, and: 1, not: 1 },
  { id: 2, gt: 2, in: 2, null: 2, or: 2, and: 2, not: 2 },
]

let server: RunningServer
beforeAll(async () => {
  server = await start({ data: { products, companies, odd, wordy, empty: [] }, foreignKeySuffix: '_id' })
})
afterAll(() => server.close())

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

async function get(path: string, headers = {}): Promise<Answer> {
  const answer = await fetch(`${server.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

async function ids(path: string): Promise<unknown> {
  const { body } = await get(path)
  return Array.isArray(body) ? body.map(({ id }) => id) : body
}

const where = (value: unknown) => `_where=${encodeURIComponent(JSON.stringify(value))}`

describe('over the wire', () => {
  it.each<[string, readonly number[]]>([
    ['/products?price_gt=23', [1, 2]],
    ['/products?price:gt=23', [1, 2]],
    ['/products?price%3Alt=2', [25]],
    ['/products?id_in=3,1', [1, 3]],
    ['/products?name_in="Chair 2",table 3', [2, 3]],
    ['/products?price_between=3,4', [22, 23]],
    ['/products?name_startsWith=TABLE 2', [21, 23, 25]],
    ['/products?name_endsWith=R 2', [2]],
    ['/products?name:contains=air 1', [10, 12, 14, 16, 18]],
    ['/products?sold_null=false', [1, 3]],
    ['/products?sold_null=true&_limit=2', [2, 4]],
    ['/companies?tags_contains=T2', [2]],
    ['/companies?tags_in=t1,t3', [1, 3]],
    ['/companies?hq.lat_lt=0', [1]],
    ['/products?id_in=', []],
    ['/companies?logged_in=true', [1, 2, 3]],
    ['/companies/2/products?price_lt=10', [17, 20, 23]],
    ['/odd?price_gt=7', [1]],
    ['/odd?price:gt=7', [2]],
    ['/products?price_gt=22&price:gt=24', [1, 2, 3]],
    ['/products?price_lte=2&price:lte=1', [24, 25]],
    ['/products?price=1&price_eq=2&price:eq=3', [23, 24, 25]],
    ['/products?id_in=1,2&id:in=3', [1, 2, 3]],
    ['/products?id_nin=1,2&id:nin=3&id_lt=6', [4, 5]],
    ['/products?id_ne=1&id:ne=2&id_lt=4', [3]],
    ['/products?price_between=1,2&price:between=25,26', [1, 24, 25]],
    ['/products?name_startsWith=table 25&name:startsWith=chair 24', [24, 25]],
    ['/products?sold_null=true&sold:null=false', [1, 3]],
    ['/products?price_gt=22&filter={"price:gt":24}', [1]],
    ['/products?price=1&filter={"price":2}', []],
    ['/companies/2/products?company_id_eq=1', []],
    ['/odd?price=9&price_gt=7', []],
    ['/odd?price_gt=7&price:gt=6', []],
    ['/products?nope:gte=5', []],
    ['/products?nope:ne=5', []],
    ['/products?nope:gt=5&id_lt=3', [1, 2]],
    ['/products?_sort=-price&_limit=2', [1, 2]],
    ['/products?_sort=company_id,-price&_limit=2&_order=desc', [3, 6]],
    ['/odd?_sort=-price', [2, 1]],
    [`/products?${where({ price: { gt: 23 } })}`, [1, 2]],
    [`/products?${where({ or: [{ id: 1 }, { name: { contains: 'air 2' } }] })}`, [1, 2, 20, 22, 24]],
    [`/products?id_lte=20&${where({ not: { price: { gt: 6 } } })}`, [20]],
    [`/companies?${where({ hq: { lat: { gt: 0 } } })}`, [3]],
    [`/products?${where({ id: 3 })}&${where({ sold: null })}`, []],
    [`/empty?${where({ anything: 1 })}`, []],
    ['/odd?_where=x', [1]],
    ['/wordy?gt=2', [2]],
    ['/wordy?or=1', [1]],
    ['/odd?_per_page=3', [2]],
    ['/odd?_perPage=q', [2]],
    ['/odd?_sortField=s', [1]],
    ['/products?filter={"id":[3,1]}&sort=["id","DESC"]&range=[0,0]', [3]],
    ['/products?_page=2&_perPage=2&_sortField=price&_sortDir=ASC&_filters={"company_id":1}', [19, 16]],
  ])('%s', async (path, expected) => {
    expect(await ids(path)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['_where={', '_where is not valid JSON'],
    [where({ nope: 1 }), '_where.nope: no row has the field nope; correct the name.'],
    [where({ nope: { gt: 1 } }), '_where.nope.gt: no row has the field nope; correct the name.'],
    [
      where({ price: { gtt: 1 } }),
      'no row has the field price.gtt, and gtt is not an operator; correct the name.',
    ],
    [where({ price_gt: 1 }), '_where.price_gt: no row has the field price_gt; write {"price":{"gt":…}}.'],
    [
      where({ gt: 1 }),
      '_where.gt is an operator, not a field; a field of that name is reached by gt=… in the URL.',
    ],
    [where({ or: [{ in: [1] }] }), '_where.or[0].in is an operator, not a field'],
    [where({ null: null }), '_where.null is an operator, not a field'],
    [where({ hq: { 'lat:nin': [1] } }), 'write {"lat":{"nin":…}}.'],
    [where({ or: [{ price: { gt: [] } }] }), '_where.or[0].price.gt must be'],
    [where({ or: Array.from({ length: 51 }, () => ({ name: { contains: 'a' } })) }), 'more than 50 patterns'],
    [
      `filter={"name_like":${JSON.stringify(Array.from({ length: 30 }, String))}}&${where({ and: Array.from({ length: 21 }, () => ({ name: { like: 'a' } })) })}`,
      'more than 50 patterns',
    ],
    [
      where({ or: Array.from({ length: 51 }, (_, at) => ({ 'hq.lat': at })) }),
      'more than 50 filters on nested',
    ],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await get(`/products?${query}`)
    expect([status, body]).toEqual([
      400,
      { error: 'Bad request', message: expect.stringContaining(message), code: 'INVALID_QUERY' },
    ])
  })

  it.each(['gt', 'or', 'and', 'not', 'in', 'null'])(
    'in _where, %s is a word even where rows have such a field',
    async (word) => {
      expect((await get(`/wordy?${where({ [word]: 1 })}`)).status).toBe(400)
    },
  )

  it('a pattern may stand anywhere in _where', async () => {
    const like = { name: { like: '^[^t]' } }
    expect(await ids(`/products?${where({ or: [like, { id: 1 }] })}&_limit=3`)).toEqual([1, 2, 4])
    expect(await ids(`/products?${where({ not: like })}&_limit=3`)).toEqual([1, 3, 5])
    expect(await ids('/products?name:like=^[^t]&_sort=-id&_limit=2')).toEqual([24, 22])
  })
})

describe('a page of json-server 1.0', () => {
  it.each<[string, object, readonly number[]]>([
    [
      '_per_page=10',
      { first: 1, prev: null, next: 2, last: 3, pages: 3, items: 25 },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ],
    [
      '_page=2&_per_page=12',
      { first: 1, prev: 1, next: 3, last: 3, pages: 3, items: 25 },
      [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
    ],
    ['_page=9&_per_page=12', { first: 1, prev: 2, next: null, last: 3, pages: 3, items: 25 }, [25]],
    ['_per_page=100&id_lt=3', { first: 1, prev: null, next: null, last: 1, pages: 1, items: 2 }, [1, 2]],
    ['_per_page=5&id=0', { first: 1, prev: null, next: null, last: 1, pages: 1, items: 0 }, []],
  ])('%s', async (query, envelope, expected) => {
    const { body, headers } = await get(`/products?${query}`)
    expect(body).toEqual({ ...envelope, data: expected.map((id) => expect.objectContaining({ id })) })
    expect(body).toHaveProperty('items', Number(headers.get('X-Total-Count')))
  })

  it('has links and relations as well', async () => {
    const { body, headers } = await get('/products?_per_page=10&_expand=company&_sort=-id')
    expect(body).toHaveProperty('data.0', expect.objectContaining({ id: 25, company: companies[0] }))
    expect(headers.get('Link')).toContain(`_per_page=10&_expand=company&_sort=-id&_page=2>; rel="next"`)
  })

  it('is none beside a limit, and an array stays an array', async () => {
    expect(await ids('/products?_per_page=10&_limit=2')).toEqual([1, 2])
    expect(await ids('/products?_page=13&_limit=2')).toEqual([25])
  })
})

describe('ra-data-simple-rest', () => {
  it('gets its range in a header, whatever its own Range header says', async () => {
    const answer = await get('/products?range=[5,9]', { Range: 'products=0-1' })
    expect([answer.status, answer.headers.get('Content-Range')]).toEqual([200, 'products 5-9/25'])
    const empty = await get('/products?range=[50,59]', { Range: 'products=50-59' })
    expect([empty.status, empty.headers.get('Content-Range'), empty.body]).toEqual([200, 'products */25', []])
  })
  it('gets relations, on items too', async () => {
    expect((await get('/products/1?embed=["company"]')).body).toMatchObject({ company: { name: 'c1' } })
    const { body } = await get('/companies?embed=["products"]&range=[0,0]')
    expect(body).toHaveProperty('0.products.length', 9)
  })
})
