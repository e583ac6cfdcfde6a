import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type OpenedServer, open } from '../../../src/index.ts'
import { PRESETS } from '../../../src/wings/shapes/presets.ts'

/** What the documentation of each server shows: facts, with the page they are from. */
interface Recorded {
  readonly preset: keyof typeof PRESETS
  readonly source: string
  readonly data: Record<string, unknown>
  readonly settings?: object
  readonly request: string
  readonly response: unknown
}

const ORIGIN = 'http://example.com'
const rows = (count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, ...more(at) }))
const names = ['Eladio Schroeder Sr.', 'Liliana Mayert']
const emails = ['therese28@example.com', 'evandervort@example.com']
const users = names.map((name, at) => ({ id: at + 1, name, email: emails[at] }))
const accounts = rows(1023)

const RECORDED: readonly Recorded[] = [
  {
    preset: 'laravel',
    source: 'laravel.com/docs, Eloquent: API Resources, "Pagination" (which counts ten users, and shows two)',
    data: { users },
    request: '/users?page=1',
    response: {
      data: users,
      links: {
        first: `${ORIGIN}/users?page=1`,
        last: `${ORIGIN}/users?page=1`,
        prev: null,
        next: null,
      },
      meta: {
        current_page: 1,
        from: 1,
        last_page: 1,
        path: `${ORIGIN}/users`,
        per_page: 15,
        to: 2,
        total: 2,
      },
    },
  },
  {
    preset: 'laravel',
    source: 'laravel.com/docs, Eloquent: API Resources, "Data Wrapping"',
    data: { users },
    request: '/users/1',
    response: { data: users[0] },
  },
  {
    preset: 'spring',
    source:
      'docs.spring.io/spring-data/commons, PagedModel: content, and page with size, number, totalElements, totalPages',
    data: { persons: rows(23) },
    request: '/persons?page=2&size=10&sort=id,desc',
    response: {
      content: [{ id: 3 }, { id: 2 }, { id: 1 }],
      page: { size: 10, number: 2, totalElements: 23, totalPages: 3 },
    },
  },
  {
    preset: 'drf',
    source: 'django-rest-framework.org, API Guide: Pagination, "PageNumberPagination"',
    data: { accounts },
    request: '/accounts/?page=4',
    response: {
      count: 1023,
      next: `${ORIGIN}/accounts/?page=5`,
      previous: `${ORIGIN}/accounts/?page=3`,
      results: accounts.slice(300, 400),
    },
  },
  {
    preset: 'drf',
    source: 'django-rest-framework.org, API Guide: Pagination, "LimitOffsetPagination"',
    data: { accounts },
    request: '/accounts/?limit=100&offset=400',
    response: {
      count: 1023,
      next: `${ORIGIN}/accounts/?limit=100&offset=500`,
      previous: `${ORIGIN}/accounts/?limit=100&offset=300`,
      results: accounts.slice(400, 500),
    },
  },
  {
    preset: 'jsonapi',
    source: 'jsonapi.org/examples, "Pagination links": page 3 of 13, one article each',
    data: { articles: rows(13, () => ({ title: 'JSON:API paints my bikeshed!' })) },
    request: '/articles?page[number]=3&page[size]=1',
    response: {
      meta: { total: 13, totalPages: 13 },
      data: [{ type: 'articles', id: '3', attributes: { title: 'JSON:API paints my bikeshed!' } }],
      links: {
        first: `${ORIGIN}/articles?page[number]=1&page[size]=1`,
        prev: `${ORIGIN}/articles?page[number]=2&page[size]=1`,
        next: `${ORIGIN}/articles?page[number]=4&page[size]=1`,
        last: `${ORIGIN}/articles?page[number]=13&page[size]=1`,
      },
    },
  },
  {
    preset: 'jsonapi',
    source: 'jsonapi.org/format, "Compound Documents": linkage, and each related resource once',
    data: {
      articles: [{ id: 1, title: 'JSON:API paints my bikeshed!', personId: 9 }],
      people: [{ id: 9, firstName: 'Dan' }],
      comments: [{ id: 5, body: 'First!', articleId: 1 }],
    },
    request: '/articles/1?include=person,comments',
    response: {
      data: {
        type: 'articles',
        id: '1',
        attributes: { title: 'JSON:API paints my bikeshed!', personId: 9 },
        relationships: {
          person: { data: { type: 'people', id: '9' } },
          comments: { data: [{ type: 'comments', id: '5' }] },
        },
      },
      included: [
        { type: 'people', id: '9', attributes: { firstName: 'Dan' } },
        { type: 'comments', id: '5', attributes: { body: 'First!', articleId: 1 } },
      ],
    },
  },
  {
    preset: 'jsonapi',
    source: 'jsonapi.org/examples, "Sparse Fieldsets": by type, also of what is included',
    data: {
      articles: [{ id: 1, title: 'JSON API paints my bikeshed!', body: 'Short.', made: 2015, personId: 42 }],
      people: [{ id: 42, name: 'John', age: 80 }],
    },
    request: '/articles?include=person&fields[articles]=title,body,person&fields[people]=name',
    response: expect.objectContaining({
      data: [
        {
          type: 'articles',
          id: '1',
          attributes: { title: 'JSON API paints my bikeshed!', body: 'Short.' },
          relationships: { person: { data: { type: 'people', id: '42' } } },
        },
      ],
      included: [{ type: 'people', id: '42', attributes: { name: 'John' } }],
    }),
  },
  {
    preset: 'strapi',
    source: 'docs.strapi.io, CMS > APIs > REST API, "Get documents" (Strapi 5)',
    settings: { id: 'documentId' },
    data: {
      restaurants: [
        { id: 2, documentId: 'hgv1vny5cebq2l3czil1rpb3', Name: 'BMK Paris Bamako' },
        { id: 4, documentId: 'znrlzntu9ei5onjvwfaalu2v', Name: 'Biscotte Restaurant' },
      ],
    },
    request: '/restaurants',
    response: {
      data: [
        { id: 2, documentId: 'hgv1vny5cebq2l3czil1rpb3', Name: 'BMK Paris Bamako' },
        { id: 4, documentId: 'znrlzntu9ei5onjvwfaalu2v', Name: 'Biscotte Restaurant' },
      ],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 2 } },
    },
  },
  {
    preset: 'strapi',
    source: 'docs.strapi.io, CMS > APIs > REST API, "Pagination by offset" (Strapi 5)',
    data: { articles: rows(42) },
    request: '/articles?pagination[start]=0&pagination[limit]=10',
    response: { data: rows(10), meta: { pagination: { start: 0, limit: 10, total: 42 } } },
  },
  {
    preset: 'strapi',
    source: 'docs.strapi.io, CMS > APIs > REST API, "Get a document" (Strapi 5)',
    settings: { id: 'documentId' },
    data: { restaurants: [{ id: 6, documentId: 'znrlzntu9ei5onjvwfaalu2v', Name: 'Biscotte Restaurant' }] },
    request: '/restaurants/znrlzntu9ei5onjvwfaalu2v',
    response: {
      data: { id: 6, documentId: 'znrlzntu9ei5onjvwfaalu2v', Name: 'Biscotte Restaurant' },
      meta: {},
    },
  },
  {
    preset: 'dummyjson',
    source: 'dummyjson.com/docs/products, "Limit and skip products": the id is there, whatever is selected',
    data: { products: rows(194, (at) => ({ title: `Product ${at + 1}`, price: at, stock: 1 })) },
    request: '/products?limit=2&skip=10&select=title,price',
    response: {
      products: [
        { id: 11, title: 'Product 11', price: 10 },
        { id: 12, title: 'Product 12', price: 11 },
      ],
      total: 194,
      skip: 10,
      limit: 2,
    },
  },
  {
    preset: 'dummyjson',
    source: 'github.com/Ovi/DummyJSON, src/helpers/resource.js: `limit` is how many there are',
    data: { products: rows(194) },
    request: '/products?limit=10&skip=192',
    response: { products: [{ id: 193 }, { id: 194 }], total: 194, skip: 192, limit: 2 },
  },
  {
    preset: 'json-server-1',
    source:
      'github.com/typicode/json-server, README of 1.0, "Pagination": page 1 of 4 with 25 rows, 100 in all',
    data: { posts: rows(100) },
    request: '/posts?_page=1&_per_page=25',
    response: {
      first: 1,
      prev: null,
      next: 2,
      last: 4,
      pages: 4,
      items: 100,
      data: rows(25),
    },
  },
  {
    preset: 'json-server-1',
    source: 'github.com/typicode/json-server, README of 1.0: a list without a page',
    data: { posts: rows(3) },
    request: '/posts',
    response: rows(3),
  },
  {
    preset: 'problem',
    source: 'RFC 9457: only errors have a shape',
    data: { users },
    request: '/users',
    response: users,
  },
]

const ERRORS: readonly (readonly [
  keyof typeof PRESETS,
  source: string,
  missing: unknown,
  invalid: unknown,
])[] = [
  [
    'laravel',
    'laravel.com/docs, Validation, "Validation Error Response Format"',
    { message: 'Not found' },
    { message: expect.stringMatching(/^price must/), errors: { price: ['must be at least 0'] } },
  ],
  [
    'spring',
    'docs.spring.io/spring-boot, Error Handling: timestamp, status, error, message, path',
    {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: 404,
      error: 'Not Found',
      message: 'Not found',
      path: '/products/99',
    },
    expect.objectContaining({
      status: 422,
      error: 'Unprocessable Entity',
      path: '/products',
      errors: [{ field: 'price', defaultMessage: 'must be at least 0' }],
    }),
  ],
  [
    'drf',
    'django-rest-framework.org, API Guide: Exceptions',
    { detail: 'Not found' },
    { price: ['must be at least 0'] },
  ],
  [
    'jsonapi',
    'jsonapi.org/examples, "Error Objects": status as text, and a pointer to the attribute',
    { errors: [{ status: '404', code: 'NOT_FOUND', title: 'Not Found', detail: 'Not found' }] },
    {
      errors: [
        {
          status: '422',
          code: 'VALIDATION_FAILED',
          title: 'Unprocessable Entity',
          detail: 'must be at least 0',
          source: { pointer: '/data/attributes/price' },
        },
      ],
    },
  ],
  [
    'strapi',
    'docs.strapi.io, CMS > Error handling, "REST errors"',
    { data: null, error: { status: 404, name: 'NotFoundError', message: 'Not found', details: {} } },
    {
      data: null,
      error: expect.objectContaining({
        status: 422,
        name: 'ValidationError',
        details: {
          errors: [{ path: ['price'], message: 'must be at least 0', name: 'ValidationError' }],
        },
      }),
    },
  ],
  [
    'dummyjson',
    'dummyjson.com/docs: errors have a message',
    { message: 'Not found' },
    { message: expect.stringMatching(/^price must/) },
  ],
  [
    'json-server-1',
    'json-server has no body to speak of',
    {},
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  ],
  [
    'problem',
    'RFC 9457, section 3.1: type, status, title, detail; 4.2.1: about:blank has the phrase of its status',
    { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not found', code: 'NOT_FOUND' },
    {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: expect.stringMatching(/^price must/),
      code: 'VALIDATION_FAILED',
      errors: { price: expect.any(String) },
    },
  ],
]

/** Of a create, an update, a deletion, a row that does not fit, and an id that is taken. */
const STATUSES: readonly (readonly [keyof typeof PRESETS, source: string, statuses: readonly number[]])[] = [
  ['laravel', 'laravel.com/docs, Validation, "unique": one more rule, and 422', [201, 200, 200, 422, 422]],
  [
    'spring',
    'docs.spring.io/spring-data/rest, "Default Status Codes", and RepositoryConstraintViolationException as 400',
    [201, 200, 204, 400, 409],
  ],
  [
    'drf',
    'django-rest-framework.org, Generic views and Exceptions: 204, ValidationError is 400, UniqueValidator too',
    [201, 200, 204, 400, 400],
  ],
  [
    'jsonapi',
    'jsonapi.org/format, "Deleting Resources": 204; a client-generated id that exists: 409',
    [201, 200, 204, 422, 409],
  ],
  [
    'strapi',
    'docs.strapi.io, REST API, "Delete a document": 204; Error handling: ValidationError is 400',
    [201, 200, 204, 400, 400],
  ],
  ['dummyjson', 'dummyjson.com/docs: a deleted product comes back', [201, 200, 200, 422, 409]],
  ['json-server-1', 'github.com/typicode/json-server', [201, 200, 200, 422, 409]],
  ['problem', 'RFC 9457 is about errors, and names no statuses', [201, 200, 200, 422, 409]],
]

let api: OpenedServer | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

describe('a preset responds as the documentation of the real thing shows', () => {
  it.each(RECORDED)('$preset: $source', async ({ preset, data, settings, request, response }) => {
    api = await open({ data: structuredClone(data), live: false, shape: preset, ...settings })
    expect(await (await api.fetch(`${ORIGIN}${request}`)).json()).toEqual(response)
  })

  it.each(ERRORS)('%s, on errors: %s', async (preset, _, missing, invalid) => {
    const schema = { properties: { price: { minimum: 0 } } }
    api = await open({
      data: { products: [{ id: 1, price: 2 }] },
      live: false,
      shape: preset,
      resources: { products: { schema } },
    })
    const gone = await api.fetch('/products/99')
    expect([gone.status, await gone.json()]).toEqual([404, missing])
    const refused = await api.fetch('/products', { method: 'POST', body: '{"price":-1}' })
    expect([refused.status, await refused.json()]).toEqual([422, invalid])
  })

  it.each(STATUSES)('%s, with its own statuses: %s', async (preset, _, statuses) => {
    const schema = { properties: { price: { minimum: 0 } } }
    api = await open({
      data: { products: [{ id: 1, price: 2 }] },
      live: false,
      shape: { preset, status: 'preset' },
      resources: { products: { schema } },
    })
    const got: number[] = []
    for (const [method, path, row] of [
      ['POST', '/products', { id: 2, price: 1 }],
      ['PATCH', '/products/1', { price: 3 }],
      ['DELETE', '/products/2', undefined],
      ['POST', '/products', { price: -1 }],
      ['POST', '/products', { id: 1, price: 1 }],
    ] as const) {
      const response = await api.fetch(path, { method, ...(row && { body: JSON.stringify(row) }) })
      got.push(response.status)
      expect((await response.text()) === '', `${method} ${response.status}`).toBe(response.status === 204)
    }
    expect(got).toEqual(statuses)
  })

  it('has a response of each on record', () => {
    expect(new Set(RECORDED.map(({ preset }) => preset))).toEqual(new Set(Object.keys(PRESETS)))
  })
})

describe('a preset takes the parameters of the real thing', () => {
  const products = rows(30, (at) => ({
    name: ['Desk', 'Chair', 'Lamp'][at % 3],
    price: at,
    companyId: (at % 2) + 1,
  }))
  const companies = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ]
  const CASES: readonly (readonly [keyof typeof PRESETS, query: string, ids: readonly number[]])[] = [
    ['laravel', 'sort=-price&per_page=2', [30, 29]],
    ['laravel', 'filter[name]=Desk,Lamp&per_page=3', [1, 3, 4]],
    ['laravel', 'filter[companyId]=2&page=2&per_page=2', [6, 8]],
    ['spring', 'sort=name,price,desc&size=2', [30, 27]],
    ['spring', 'sort=name,asc&sort=price,desc&size=2', [29, 26]],
    ['spring', 'size=3', [1, 2, 3]],
    ['drf', 'ordering=-price,name&page_size=2', [30, 29]],
    ['drf', 'price__gte=28', [29, 30]],
    ['drf', 'price__range=3,4', [4, 5]],
    ['drf', 'name__icontains=ESK&page_size=2', [1, 4]],
    ['drf', 'id__in=3,5', [3, 5]],
    ['drf', 'name__isnull=True', []],
    ['drf', 'search=lamp&limit=2', [3, 6]],
    ['drf', 'company__name=Bob&_expand=company&limit=2', [2, 4]],
    ['jsonapi', 'sort=-price&page[size]=2', [30, 29]],
    ['jsonapi', 'page[offset]=4&page[limit]=2', [5, 6]],
    ['jsonapi', 'filter[price][lt]=2', [1, 2]],
    ['jsonapi', 'filter[id]=7,9', [7, 9]],
    ['strapi', 'sort[0]=name:desc&sort[1]=price:desc&pagination[limit]=2', [30, 27]],
    ['strapi', 'sort=price:desc&pagination[pageSize]=1&pagination[page]=2', [29]],
    ['strapi', 'filters[name][$notIn][0]=Desk&filters[name][$notIn][1]=Lamp&pagination[limit]=2', [2, 5]],
    ['strapi', 'filters[$or][0][id][$eq]=3&filters[$or][1][price][$between]=8,9', [3, 9, 10]],
    ['strapi', 'filters[$not][price][$gte]=1', [1]],
    ['strapi', 'filters[name][$notContainsi]=A&filters[price][$lt]=5', [1, 4]],
    ['strapi', 'filters[name][$notNull]=true&pagination[limit]=1', [1]],
    ['dummyjson', 'sortBy=price&order=desc&limit=2', [30, 29]],
    ['dummyjson', 'limit=0&skip=28', [29, 30]],
    ['json-server-1', '_page=9&_per_page=28', [29, 30]],
    ['json-server-1', '_sort=-price&_start=0&_limit=2', [30, 29]],
    ['laravel', '_sort=price&_order=desc&_limit=2', [30, 29]],
    ['laravel', 'page=2&_page=3&_limit=1', [3]],
    ['laravel', '_limit=2&page=2', [3, 4]],
    ['laravel', '_page=2&per_page=2', [3, 4]],
    ['spring', 'size=0&page=1', [21, 22, 23, 24, 25, 26, 27, 28, 29, 30]],
    ['spring', '_page=2&_limit=2&page=5', [3, 4]],
    ['laravel', 'sort=["price","DESC"]&range=[0,1]', [30, 29]],
  ]

  it.each(CASES)('%s: %s', async (preset, query, ids) => {
    const opened =
      servers.get(preset) ??
      (await open({ data: { products, companies }, live: false, shape: preset, strict: true }))
    servers.set(preset, opened)
    const response = await opened.fetch(`/products?${query}`)
    const body = JSON.parse(await response.text())
    const list = Array.isArray(body) ? body : Object.values(body).find(Array.isArray)
    expect([response.status, list?.map((row: { id: unknown }) => Number(row.id))]).toEqual([200, ids])
  })

  const servers = new Map<string, OpenedServer>()
  afterAll(async () => {
    for (const each of servers.values()) await each.close()
  })

  it('attaches relations, and shows the fields that are asked for', async () => {
    api = await open({ data: { products, companies }, live: false, shape: 'strapi' })
    const response = await api.fetch('/products/2?populate=company&fields[0]=name')
    expect(JSON.parse(await response.text()).data).toEqual({
      id: 2,
      name: 'Chair',
      company: { id: 2, name: 'Bob' },
    })
  })
})
