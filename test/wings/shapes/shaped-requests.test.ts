import { afterEach, describe, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

const data = () => ({
  products: Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `P${at + 1}`,
    company_id: (at % 2) + 1,
  })),
  companies: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
  profile: { name: 'typicode' },
})
const json = { 'Content-Type': 'application/json' }
const TEMPLATE = {
  list: { data: '$rows', meta: { total: '$total', page: '$page', pages: '$pages' } },
  item: { data: '$row' },
  error: { error: { code: '$code', detail: '$message', fields: '$errors' } },
  params: { page: 'page', size: 'per_page', sort: 'order_by' },
}

let api: OpenedServer
afterEach(() => api.close())

async function openShaped(options: Partial<StartOptions> = {}): Promise<typeof ask> {
  api = await open({ data: data(), live: false, foreignKeySuffix: '_id', shape: TEMPLATE, ...options })
  return ask
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const init =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...json, ...headers }, body: JSON.stringify(body) }
  const response = await api.fetch(path, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

describe('a template', () => {
  it('surrounds lists, items, objects and nested lists, and leaves headers as they are', async () => {
    const ask = await openShaped()
    const list = await ask('GET', '/products?page=2&per_page=5&order_by=-id')
    expect(list.body.meta).toEqual({ total: 12, page: 2, pages: 3 })
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([7, 6, 5, 4, 3])
    expect(list.headers.get('X-Total-Count')).toBe('12')
    expect(list.headers.get('Link')).toContain('page=3&per_page=5&order_by=-id>; rel="next"')
    expect((await ask('GET', '/products/1')).body).toEqual({ data: { id: 1, name: 'P1', company_id: 1 } })
    expect((await ask('GET', '/profile')).body).toEqual({ data: { name: 'typicode' } })
    expect((await ask('GET', '/companies/1/products?per_page=1')).body).toEqual({
      data: [{ id: 1, name: 'P1', company_id: 1 }],
      meta: { total: 6, page: 1, pages: 6 },
    })
    expect((await ask('GET', '/products/2?_expand=company&_fields=name,company.name')).body).toEqual({
      data: { name: 'P2', company: { name: 'Bob' } },
    })
    expect(Array.isArray((await ask('GET', '/db')).body.products)).toBe(true)
  })

  it.each<[string, string, string, unknown, unknown]>([
    ['POST', '/products', 'a row in it', { data: { name: 'x' } }, { data: { id: 13, name: 'x' } }],
    ['POST', '/products', 'a plain row', { name: 'x' }, { data: { id: 13, name: 'x' } }],
    [
      'POST',
      '/products',
      'a field of that name',
      { data: { a: 1 }, name: 'x' },
      { data: { id: 13, data: { a: 1 }, name: 'x' } },
    ],
    [
      'POST',
      '/products',
      'rows in it',
      { data: [{ name: 'x' }, { name: 'y' }] },
      {
        data: [
          { id: 13, name: 'x' },
          { id: 14, name: 'y' },
        ],
        meta: { total: 2, page: 1, pages: 1 },
      },
    ],
    ['PUT', '/products/1', 'a row in it', { data: { name: 'x' } }, { data: { id: 1, name: 'x' } }],
    [
      'PATCH',
      '/products/1',
      'fields in it',
      { data: { name: 'x' } },
      { data: { id: 1, name: 'x', company_id: 1 } },
    ],
    ['PATCH', '/profile', 'fields in it', { data: { age: 3 } }, { data: { name: 'typicode', age: 3 } }],
    [
      'POST',
      '/companies/2/products',
      'a row in it',
      { data: { name: 'x' } },
      { data: { id: 13, name: 'x', company_id: '2' } },
    ],
    ['DELETE', '/products/1', 'nothing', undefined, {}],
  ])('is taken off what %s %s sends: %s', async (method, path, _, sent, shown) => {
    const ask = await openShaped()
    expect((await ask(method, path, sent)).body).toEqual(shown)
  })

  it('leaves a write to all that a filter finds, though lists have pages, and a field named like another list', async () => {
    const ask = await openShaped({
      shape: 'spring',
      data: {
        items: [
          { id: 1, n: 1 },
          { id: 2, n: 1 },
        ],
      },
    })
    expect((await ask('PATCH', '/items?n=1', { n: 2 })).status).toBe(200)
    expect((await ask('PATCH', '/items/1', { content: { p: 1 } })).body).toEqual({
      id: 1,
      n: 2,
      content: { p: 1 },
    })
    expect((await ask('DELETE', '/items?n=2')).status).toBe(200)
    expect((await ask('GET', '/items')).body.content).toEqual([])
  })

  it('is taken off patches, and put around what many changed and what was deleted', async () => {
    const ask = await openShaped()
    const merged = { 'Content-Type': 'application/merge-patch+json' }
    expect((await ask('PATCH', '/products/1', { data: { name: null } }, merged)).body).toEqual({
      data: { id: 1, company_id: 1 },
    })
    const operations = [{ op: 'add', path: '/name', value: 'x' }]
    const patched = { 'Content-Type': 'application/json-patch+json' }
    expect((await ask('PATCH', '/products/1', operations, patched)).body.data.name).toBe('x')
    expect((await ask('PATCH', '/products?id_lte=2', { data: { name: 'y' } })).body).toMatchObject({
      data: [{ name: 'y' }, { name: 'y' }],
      meta: { total: 2 },
    })
    const shown = { Prefer: 'return=representation' }
    expect((await ask('DELETE', '/products/3', undefined, shown)).body.data).toMatchObject({ id: 3 })
  })

  it.each<[number, string, string, string, unknown, Record<string, string>]>([
    [404, 'NOT_FOUND', 'GET', '/products/99', undefined, {}],
    [404, 'NOT_FOUND', 'GET', '/nothing', undefined, {}],
    [404, 'NOT_FOUND', 'PATCH', '/products/99', { name: 'x' }, {}],
    [400, 'INVALID_QUERY', 'GET', '/products?_where={', undefined, {}],
    [400, 'MALFORMED_JSON', 'POST', '/products', '{', { 'Content-Type': 'application/json' }],
    [409, 'DUPLICATE_ID', 'POST', '/products', { data: { id: 1 } }, {}],
    [412, 'PRECONDITION_FAILED', 'PUT', '/products/1', { name: 'x' }, { 'If-Match': '"other"' }],
    [503, 'SIMULATED', 'GET', '/products', undefined, { Prefer: 'code=503' }],
    [401, 'API_KEY_MISSING', 'GET', '/companies', undefined, {}],
  ])('has errors, too: %i %s', async (status, code, method, path, body, headers) => {
    const isGuarded = status === 401
    const ask = await openShaped(isGuarded ? { middlewares: ['api-key'] } : {})
    const init = { method, headers: { ...(body !== undefined && json), ...headers } }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await api.fetch(path, body === undefined ? init : { ...init, body: text })
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { code, detail: expect.any(String) } },
    ])
    expect((await ask('GET', '/__service', undefined, { 'X-API-KEY': 'x' })).body).not.toHaveProperty(
      'error.detail',
    )
  })

  it('has the fields that are wrong', async () => {
    const ask = await openShaped({ resources: { products: { unique: ['name'] } } })
    expect((await ask('POST', '/products', { data: { name: 'P1' } })).body).toEqual({
      error: { code: 'NOT_UNIQUE', detail: expect.any(String), fields: { name: expect.any(String) } },
    })
  })

  it('is part of what an ETag stands for, in reads and in writes', async () => {
    const ask = await openShaped()
    const read = await ask('GET', '/products/1')
    const tag = read.headers.get('ETag') ?? ''
    expect((await ask('HEAD', '/products/1')).headers.get('ETag')).toBe(tag)
    expect((await ask('GET', '/products/1', undefined, { 'If-None-Match': tag })).status).toBe(304)
    const written = await ask('PATCH', '/products/1', { data: { name: 'x' } }, { 'If-Match': tag })
    expect([written.status, written.headers.get('ETag')]).toEqual([
      200,
      (await ask('GET', '/products/1')).headers.get('ETag'),
    ])
    const minimal = { 'If-Match': written.headers.get('ETag') ?? '', Prefer: 'return=minimal' }
    const last = await ask('PATCH', '/products/1', { data: { name: 'y' } }, minimal)
    expect([last.status, last.headers.get('ETag')]).toEqual([
      204,
      (await ask('GET', '/products/1')).headers.get('ETag'),
    ])
  })

  it('gives way to Prefer: shape=none, whatever was cached before', async () => {
    const ask = await openShaped()
    for (let times = 0; times < 3; times++) {
      expect((await ask('GET', '/products/1')).body).toHaveProperty('data')
      const plain = await ask('GET', '/products/1', undefined, { Prefer: 'shape=none' })
      expect(plain.body).toEqual({ id: 1, name: 'P1', company_id: 1 })
      expect(plain.headers.get('Preference-Applied')).toBe('shape=none')
      expect((await ask('GET', '/products/99', undefined, { Prefer: 'shape=none' })).body).toEqual({})
    }
  })

  it('goes with JSONP, sessions and explanations', async () => {
    await openShaped()
    const script = await (await api.fetch('/products/1?callback=show')).text()
    expect(script).toContain('show({\n  "data"')
    const session = api.session('one')
    await session.fetch('/products/1', { method: 'PATCH', headers: json, body: '{"data":{"name":"mine"}}' })
    expect(JSON.parse(await (await session.fetch('/products/1')).text()).data.name).toBe('mine')
    expect((await ask('GET', '/products/1')).body.data.name).toBe('P1')
    const explained = await (await api.fetch('/products?order_by=-id&per_page=x&_explain=true')).json()
    expect(explained).toMatchObject({
      sort: [{ field: 'id', order: 'desc' }],
      ignored: [{ name: 'per_page', reason: 'unreadable value' }],
    })
  })

  it('may differ from resource to resource', async () => {
    const ask = await openShaped({
      shape: undefined,
      resources: { companies: { shape: { list: { rows: '$rows' } } } },
    })
    expect((await ask('GET', '/companies?_limit=1')).body).toEqual({ rows: [{ id: 1, name: 'Ada' }] })
    expect((await ask('GET', '/companies/1')).body).toEqual({ id: 1, name: 'Ada' })
    expect((await ask('GET', '/products?_limit=1')).body).toHaveLength(1)
    expect((await ask('GET', '/companies/9')).body).toEqual({})
  })

  it('is written around a list of any length, without building it', async () => {
    const rows = Array.from({ length: 4000 }, (_, at) => ({ id: at + 1, text: 'x'.repeat(100), made_at: 1 }))
    const shape = {
      list: { a: { rows: '$rows' }, total: '$total' },
      row: { key: '$id', ...{ value: '$fields' } },
      keys: 'camel' as const,
    }
    api = await open({ data: { rows }, live: false, shape })
    const text = await (await api.fetch('/rows')).text()
    const shown = rows.map(({ id, text, made_at }) => ({ key: id, value: { text, madeAt: made_at } }))
    expect(text).toBe(JSON.stringify({ a: { rows: shown }, total: 4000 }, null, 2))
  })
})

it.each([{ shape: 'jsonapi' }, { shape: undefined, resources: { tags: { shape: 'jsonapi' } } }])(
  'is that of a collection from its first request on, if its owner has just added it: %j',
  async (options) => {
    const own: Record<string, object[]> = data() as never
    const ask = await openShaped({ ...options, data: own, live: true })
    await ask('GET', '/products/1')
    own.tags = [{ id: 1, name: 'new' }]
    for (let times = 0; times < 3; times++)
      expect((await ask('GET', '/tags')).body).toMatchObject({
        data: [{ type: 'tags', id: '1', attributes: { name: 'new' } }],
      })
  },
)

it.each([
  { error: { code: '$code' } },
  { item: { data: '$row' } },
  { keys: 'camel' },
  { params: { sort: 'sort' } },
] as const)('lists stay as they are in a template without a word about them: %j', async (shape) => {
  const queries = ['_page=2&_per_page=3', '_per_page=5', '_page=9&_per_page=5', '_page=2', '_limit=2', '']
  const ask = await openShaped({ shape })
  for (const query of queries) {
    const shaped = await ask('GET', `/companies?${query}`)
    const plain = await ask('GET', `/companies?${query}`, undefined, { Prefer: 'shape=none' })
    expect([query, shaped.text]).toEqual([query, plain.text])
  }
})

it.each(['_limit=2', '_start=1&_end=3', '_start=1&_limit=2', '_end=1', 'range=[0,1]'])(
  'json-server-1 answers a slice with an array: %s',
  async (query) => {
    const ask = await openShaped({ shape: 'json-server-1' })
    const plain = await ask('GET', `/products?${query}`, undefined, { Prefer: 'shape=none' })
    expect((await ask('GET', `/products?${query}`)).body).toEqual(plain.body)
    expect(plain.body).toHaveLength(query === '_end=1' ? 1 : 2)
  },
)

const SORTS = [
  ['laravel', 'sort=-name'],
  ['spring', 'sort=name,desc'],
  ['drf', 'ordering=-company__name'],
  ['jsonapi', 'sort=-name'],
  ['strapi', 'sort=name:desc'],
  ['dummyjson', 'sortBy=name&order=desc'],
  [{ params: { sort: 'by', order: 'dir' } }, 'by=name&dir=desc'],
] as const
const OWN = ['_sort=id', '_sort=-id', '_sort=company_id,id', '_sort=id&_order=desc', '_sortField=id']

it.each([
  ...SORTS.flatMap(([shape, theirs]) => OWN.map((ours) => [shape, theirs, ours] as const)),
  ['drf', 'offset=3&limit=1', '_start=1&_end=3'],
  ['strapi', 'populate[company][fields][0]=id', '_embed=company'],
  ['jsonapi', 'fields[products]=name', '_fields=id,company_id'],
] as const)('our own parameters win, whole: %j, %s&%s', async (shape, theirs, ours) => {
  const ask = await openShaped({ shape, strict: true })
  const own = await ask('GET', `/products?${ours}`)
  const both = await ask('GET', `/products?${theirs}&${ours}`)
  expect([both.status, rowsIn(both.body)]).toEqual([200, rowsIn(own.body)])
})

function rowsIn(body: unknown): unknown {
  return Array.isArray(body) ? body : Object.values(Object(body)).find(Array.isArray)
}

it('--wrap has the rows in a key, and leaves errors as they are', async () => {
  const ask = await openShaped({ shape: undefined, wrap: 'data' })
  expect((await ask('GET', '/companies')).body).toEqual({ data: data().companies })
  expect((await ask('POST', '/companies', { data: { name: 'Cy' } })).body).toEqual({
    data: { id: 3, name: 'Cy' },
  })
  expect((await ask('GET', '/companies/9')).body).toEqual({})
  expect((await ask('POST', '/companies', { id: 1 })).body.code).toBe('DUPLICATE_ID')
})

describe('links in a body', () => {
  it('lead where the client came from', async () => {
    await openShaped({ shape: 'drf', routes: { '/api/*': '/$1' } })
    for (let times = 0; times < 3; times++) {
      for (const base of ['http://a.test/api', 'http://a.test', 'http://b.test']) {
        const { next } = (await ask('GET', `${base}/products?page_size=5`)).body
        expect(next).toBe(`${base}/products?page_size=5&page=2`)
        expect((await ask('GET', next)).body.results[0].id).toBe(6)
      }
    }
  })
})

it.each([
  ['laravel', 'per_page=5'],
  ['laravel', '_page=1&_limit=5'],
  ['laravel', '_limit=5'],
  ['drf', 'limit=5'],
  ['drf', '_page=1&_limit=5'],
  ['drf', '_start=0&_limit=5'],
  ['jsonapi', 'page[size]=5'],
  ['jsonapi', 'page[limit]=5'],
  [
    { list: { data: '$rows', next: '$next' }, params: { page: 'p' }, pages: { from: 0 } } as const,
    '_page=1&_limit=5',
  ],
  [
    { list: { data: '$rows', next: '$next' }, params: { page: 'p' }, pages: { from: 0 } } as const,
    'p=0&_limit=5',
  ],
] as const)('links lead through all rows: %j, %s', async (shape, query) => {
  const ask = await openShaped({ shape })
  const ids: unknown[] = []
  let url = `/products?${query}`
  for (let page = 0; page < 3; page++) {
    const { links, next = links.next, data, results = data } = (await ask('GET', url)).body
    ids.push(...results.map(({ id }: { id: unknown }) => Number(id)))
    url = next
  }
  expect(url).toBeNull()
  expect(ids).toEqual(data().products.map(({ id }) => id))
})

const LAST = ['_limit=-2', '_page=1&_limit=-2', '_start=0&_limit=-2']

it.each(['_start=5&_end=8', 'range=[5,7]', '_start=5&_limit=0', ...LAST])(
  'no links lead on from %s',
  async (query) => {
    const ask = await openShaped({ shape: 'laravel' })
    const { links, meta } = (await ask('GET', `/products?${query}`)).body
    expect([links.next, meta.total]).toEqual([null, 12])
    if (/[78]/.test(query)) expect(meta).toMatchObject({ from: 6, to: 8, per_page: 3 })
  },
)

it.each<[string, object]>([
  ['_page=2&_perPage=5', { current_page: 2, last_page: 3, per_page: 5, from: 6, to: 10 }],
  ['_perPage=5', { current_page: 1, last_page: 3, per_page: 5, from: 1, to: 5 }],
  ['_start=-2', { per_page: 2, from: 11, to: 12 }],
  ['_start=2&_end=-6', { per_page: 4, from: 3, to: 6 }],
  ['_limit=-2', { current_page: 1, last_page: 2, per_page: 10, from: 1, to: 10 }],
  ['_page=1&_limit=-2', { current_page: 1, last_page: 2, per_page: 10, from: 1, to: 10 }],
  ['_page=2&_limit=-2', { per_page: 0, from: null, to: null }],
  ['_limit=-20', { per_page: 0, from: null, to: null }],
])('says which rows are shown, whichever parameters choose them: %s', async (query, expected) => {
  const ask = await openShaped({ shape: 'laravel' })
  const { meta } = (await ask('GET', `/products?${query}`)).body
  expect(meta).toMatchObject({ total: 12, ...expected })
})

it('links of a window go on where it ends, wherever it began', async () => {
  const ask = await openShaped({ shape: 'jsonapi' })
  const { links } = (await ask('GET', 'http://a.test/products?page[offset]=3&page[limit]=4')).body
  const starts = Object.entries(links).map(([rel, url]) => [rel, /offset]=(\d+)/.exec(String(url))?.[1]])
  expect(Object.fromEntries(starts)).toEqual({ first: '0', last: '11', prev: '0', next: '7' })
})

it('the name of the collection may be a key of each row', async () => {
  const ask = await openShaped({ shape: { row: { $resource: '$fields', no: '$id' } } })
  expect((await ask('POST', '/companies', { no: 7, companies: { name: 'Cy' } })).body).toEqual({
    companies: { name: 'Cy' },
    no: 7,
  })
})

it('errors of guards look as the resource has them, whichever path leads to it', async () => {
  const resources = { companies: { shape: { error: { bad: '$code' } } } }
  const routes = { '/api/*': '/$1', '/firms/:id': '/companies/:id' }
  const ask = await openShaped({ shape: undefined, middlewares: ['api-key'], resources, routes })
  for (const path of ['/companies', '/api/companies/1', '/firms/1']) {
    expect((await ask('GET', path)).body).toEqual({ bad: 'API_KEY_MISSING' })
  }
  for (const path of ['/products', '/__service', '/nothing']) {
    expect((await ask('GET', path)).body).toMatchObject({ code: 'API_KEY_MISSING' })
  }
})

it('errors of a query name what the client sent', async () => {
  const ask = await openShaped({ shape: 'jsonapi' })
  expect((await ask('GET', '/products?filter[nope]=1')).body.errors[0].detail).toBe(
    'filter[nope]: no row has the field nope; correct the name.',
  )
})

it.each(['', '?_status=503'])('an error of a layer is sent for a malformed path, too: %j', async (query) => {
  const ask = await openShaped({ shape: 'laravel' })
  const headers = { Prefer: 'code=503' }
  expect((await ask('GET', `/%zz${query}`, undefined, query === '' ? headers : {})).status).toBe(503)
  expect((await ask('GET', '/%zz')).status).toBe(400)
})

describe('JSON:API', () => {
  it('stores ids and keys as those that are there', async () => {
    const teams = [{ id: '1', name: 'A' }]
    const ask = await openShaped({
      shape: 'jsonapi',
      data: { teams, players: [{ id: 'x', team_id: '1' }], profile: {} },
    })
    const plain = { Prefer: 'shape=none' }
    await ask('POST', '/teams', { data: { type: 'teams', id: '2', attributes: {} } })
    const team = { data: { type: 'teams', id: '2' } }
    await ask('PATCH', '/players/x', { data: { type: 'players', id: 'x', relationships: { team } } })
    expect((await ask('GET', '/teams/2', undefined, plain)).body).toEqual({ id: '2' })
    expect((await ask('GET', '/players/x', undefined, plain)).body).toEqual({ id: 'x', team_id: '2' })
    await ask('POST', '/profile', { data: { type: 'profile', id: 'profile', attributes: { a: 1 } } })
    expect((await ask('GET', '/profile', undefined, plain)).body).toEqual({ a: 1 })
  })

  it('takes rows without attributes', async () => {
    const ask = await openShaped({ shape: 'jsonapi' })
    const company = { data: { type: 'companies', id: '2' } }
    const moved = { data: { type: 'products', id: '1', relationships: { company } } }
    expect((await ask('PATCH', '/products/1', moved)).body.data.attributes).toEqual({
      name: 'P1',
      company_id: 2,
    })
    const created = (await ask('POST', '/companies', { data: { type: 'companies' } })).body
    expect(created.data).toEqual({ type: 'companies', id: '3', attributes: {} })
    const plain = (await ask('POST', '/companies', { type: 'firm' })).body
    expect(plain.data.attributes).toEqual({ type: 'firm' })
  })

  const attributes = { name: 'x' }
  it.each<[number, string, unknown]>([
    [409, 'POST /products', { data: { type: 'companies', attributes } }],
    [409, 'POST /products', { data: { type: 'companies' } }],
    [
      409,
      'POST /products',
      {
        data: [
          { type: 'products', attributes },
          { type: 'companies', attributes },
        ],
      },
    ],
    [409, 'POST /companies/1/products', { data: { type: 'companies', attributes } }],
    [409, 'PATCH /products/1', { data: { type: 'Products', id: '1', attributes } }],
    [409, 'PATCH /products?id=1', { data: { type: 'companies', attributes } }],
    [409, 'PATCH /profile', { data: { type: 'products', attributes } }],
    [409, 'PATCH /products/1', { data: { type: 'products', id: '2', attributes } }],
    [409, 'PATCH /products/1', { data: { type: 'products', id: 2, relationships: {} } }],
    [409, 'PUT /products/1', { data: { id: { toString: 1 }, attributes } }],
    [200, 'PATCH /Products/1', { data: { type: 'products', id: '1', attributes } }],
    [200, 'PATCH /products/1', { data: { type: 'products', id: 1, attributes } }],
    [200, 'PATCH /products/1', { data: { attributes } }],
    [200, 'PATCH /products/1', { type: 'companies' }],
    [201, 'POST /products', { data: { type: 'companies', name: 'a plain row' } }],
  ])('is refused with 409 if it is for another resource or row: %i %s %j', async (status, request, sent) => {
    const ask = await openShaped({ shape: 'jsonapi' })
    const [method = '', path = ''] = request.split(' ')
    const before = await ask('GET', '/db')
    const { status: answered, body } = await ask(method, path, sent)
    expect(answered).toBe(status)
    if (status !== 409) return
    const detail = expect.stringContaining('The body is for another')
    expect(body).toEqual({ errors: [{ status: '409', code: 'CONFLICT', title: 'Conflict', detail }] })
    expect((await ask('GET', '/db')).text).toBe(before.text)
    expect(JSON.stringify((await ask('GET', '/__openapi')).body)).toContain('`CONFLICT`')
  })

  it.each<[number, string, unknown]>([
    [401, 'POST /products', { data: { type: 'companies', attributes } }],
    [401, 'PATCH /products/1', { data: { type: 'products', id: '2', attributes } }],
    [401, 'PATCH /profile', { data: { type: 'products', attributes } }],
    [403, 'PATCH /companies/1', { data: { type: 'companies', id: '2', attributes } }],
    [404, 'POST /nothing', { data: { type: 'companies', attributes } }],
  ])(
    'for another resource or row is refused as any other to those who may not write: %i %s %j',
    async (status, request, sent) => {
      const ask = await openShaped({
        data: { ...data(), users: [{ id: 1, email: 'ada@example.com', password: 'password-1' }] },
        ...{ shape: 'jsonapi', middlewares: ['accounts'] },
        resources: { companies: { access: { update: 'nobody' } } },
      })
      const [method = '', path = ''] = request.split(' ')
      expect(await ask(method, path, sent)).toMatchObject({ status })
    },
  )

  it('has its media type without a charset, on errors, too', async () => {
    const schema = { properties: { name: { type: 'string' } } } as const
    const ask = await openShaped({ shape: 'jsonapi', resources: { products: { schema } } })
    const requests: readonly Parameters<typeof ask>[] = [
      ['GET', '/products'],
      ['GET', '/products/99'],
      ['PATCH', '/products/99', { name: 'x' }],
      ['GET', '/products?_where={'],
      ['PUT', '/products/1', { name: 'x' }, { 'If-Match': '"other"' }],
      ['POST', '/products', { name: 1 }],
      ['POST', '/products', '{', { 'Content-Type': 'application/json' }],
      ['GET', '/products', undefined, { Prefer: 'code=503' }],
      ['DELETE', '/products'],
    ]
    for (const request of requests) {
      const { headers } = await ask(...request)
      expect([request, headers.get('Content-Type')]).toEqual([request, 'application/vnd.api+json'])
    }
  })

  it('is read as it is written', async () => {
    const ask = await openShaped({ shape: 'jsonapi' })
    const type = { 'Content-Type': 'application/vnd.api+json' }
    const sent = {
      data: {
        type: 'products',
        attributes: { name: 'x' },
        relationships: { company: { data: { type: 'companies', id: '2' } } },
      },
    }
    const created = await ask('POST', '/products', sent, type)
    expect([created.status, created.headers.get('Content-Type')]).toEqual([201, 'application/vnd.api+json'])
    expect(created.body.data).toEqual({
      type: 'products',
      id: '13',
      attributes: { name: 'x', company_id: 2 },
    })
    const changed = await ask(
      'PATCH',
      '/products/13',
      { data: { type: 'products', id: '13', attributes: { name: 'y' } } },
      type,
    )
    expect(changed.body.data.attributes).toEqual({ name: 'y', company_id: 2 })
    expect((await ask('GET', '/products/13', undefined, { Prefer: 'shape=none' })).body).toEqual({
      id: 13,
      name: 'y',
      company_id: 2,
    })
    expect((await ask('GET', '/profile')).body.data).toEqual({
      type: 'profile',
      id: 'profile',
      attributes: { name: 'typicode' },
    })
    const some = await ask('GET', '/products?fields[products]=name&page[size]=1')
    expect(some.body.data).toEqual([{ type: 'products', id: '1', attributes: { name: 'P1' } }])
  })
})
