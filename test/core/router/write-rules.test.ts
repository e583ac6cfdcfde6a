import { describe, expect, it } from 'vitest'
import { create, type ResourcesSettings, router } from '../../../src/index.ts'
import { json, serving } from '../../support/http/serving.ts'
import { JSON_PATCH, type Kept, MERGE_PATCH, serveShop } from '../../support/http/shop.ts'

const resources: ResourcesSettings = {
  products: {
    schema: {
      type: 'object',
      required: ['name', 'price'],
      properties: {
        name: { type: 'string', minLength: 1 },
        price: { type: 'number', minimum: 0 },
        company_id: { type: ['integer', 'null'] },
        status: { default: 'draft' },
        rank: { type: 'integer', readOnly: true },
      },
    },
    unique: ['name'],
    references: { company_id: { resource: 'companies', onDelete: 'restrict' } },
    timestamps: true,
  },
  reviews: { references: { product_id: { resource: 'products', onDelete: 'cascade' } } },
  profile: { schema: { required: ['name'] } },
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Request = [method: string, path: string, body?: unknown, headers?: Record<string, string>]

/** What breaks a rule, in every way there is to write: status, code and the fields at fault. */
const REFUSED: [Request, status: number, code: string, errors?: Record<string, string>][] = [
  [['POST', '/products', {}], 422, 'VALIDATION_FAILED', { name: 'is required', price: 'is required' }],
  [
    [
      'POST',
      '/products',
      [
        { name: 'a', price: 1 },
        { name: 'b', price: -1 },
      ],
    ],
    422,
    'VALIDATION_FAILED',
    { '1.price': 'must be at least 0' },
  ],
  [['POST', '/products', [{ name: 'a' }]], 422, 'VALIDATION_FAILED', { '0.price': 'is required' }],
  [['POST', '/companies/1/products', { name: 'a' }], 422, 'VALIDATION_FAILED', { price: 'is required' }],
  [['PUT', '/products/1', { name: 'a' }], 422, 'VALIDATION_FAILED', { price: 'is required' }],
  [['PUT', '/companies/1/products/1', { name: 'a' }], 422, 'VALIDATION_FAILED', { price: 'is required' }],
  [
    ['PUT', '/products/77?_upsert=true', {}],
    422,
    'VALIDATION_FAILED',
    { name: 'is required', price: 'is required' },
  ],
  [['PATCH', '/products/1', { price: '5' }], 422, 'VALIDATION_FAILED', { price: 'must be a number' }],
  [['PATCH', '/products/1', { name: null }, MERGE_PATCH], 422, 'VALIDATION_FAILED', { name: 'is required' }],
  [
    ['PATCH', '/products/1', [{ op: 'remove', path: '/name' }], JSON_PATCH],
    422,
    'VALIDATION_FAILED',
    { name: 'is required' },
  ],
  [
    ['PATCH', '/products?company_id=2', { price: -1 }],
    422,
    'VALIDATION_FAILED',
    { price: 'must be at least 0' },
  ],
  [
    ['PATCH', '/companies/2/products?_all=true', { price: -1 }],
    422,
    'VALIDATION_FAILED',
    { price: 'must be at least 0' },
  ],
  [['POST', '/products', 'name=x&price=free', FORM], 422, 'VALIDATION_FAILED', { price: 'must be a number' }],
  [['PUT', '/profile', {}], 422, 'VALIDATION_FAILED', { name: 'is required' }],
  [['PATCH', '/profile', { name: null }, MERGE_PATCH], 422, 'VALIDATION_FAILED', { name: 'is required' }],
  [['POST', '/products', { name: 'Desk', price: 1 }], 409, 'NOT_UNIQUE', { name: 'is already taken' }],
  [['PATCH', '/products/1', { name: 'Lamp' }], 409, 'NOT_UNIQUE', { name: 'is already taken' }],
  [
    ['PUT', '/products/9?_upsert=true', { name: 'Lamp', price: 1 }],
    409,
    'NOT_UNIQUE',
    { name: 'is already taken' },
  ],
  [['PATCH', '/products?price_gte=10', { name: 'Same' }], 409, 'NOT_UNIQUE', { name: 'is already taken' }],
  [
    ['POST', '/products', { name: 'a', price: 1, company_id: 9 }],
    422,
    'VALIDATION_FAILED',
    { company_id: 'must be the id of one of companies: there is no 9' },
  ],
  [
    ['POST', '/companies/9/products', { name: 'a', price: 1 }],
    422,
    'VALIDATION_FAILED',
    { company_id: 'must be the id of one of companies: there is no 9' },
  ],
  [
    ['POST', '/products/9/reviews', {}],
    422,
    'VALIDATION_FAILED',
    { product_id: 'must be the id of one of products: there is no 9' },
  ],
  [['DELETE', '/companies/1'], 409, 'STILL_REFERENCED'],
  [['DELETE', '/companies?_all=true'], 409, 'STILL_REFERENCED'],
  [['PUT', '/products/1', {}, { 'if-match': '"other"' }], 412, 'PRECONDITION_FAILED'],
]

describe.each<Kept>(['a file'])('rules, in %s', (kept) => {
  it.each(REFUSED)('refuse %j with %i %s', async ([method, path, body, headers], status, code, errors) => {
    const { ask, kept: read } = await serveShop(kept, { resources })
    const before = await read()
    const answer = await ask(method, path, body, headers)
    const { error, message, ...told } = JSON.parse(answer.body)
    expect([answer.status, told]).toEqual([status, { code, ...(errors && { errors }) }])
    expect([error, message]).toEqual([
      expect.stringMatching(/^[A-Z]/),
      expect.stringContaining('Nothing was changed'),
    ])
    expect(await read()).toEqual(before)
  })

  it.each<[Request, status: number, stored: Record<string, unknown>]>([
    [
      ['POST', '/products', { name: 'a', price: 1, rank: 5, createdAt: 'x' }],
      201,
      { name: 'a', price: 1, status: 'draft', id: 4 },
    ],
    [
      ['POST', '/products', 'name=a&price=1.5&company_id=', FORM],
      201,
      { name: 'a', price: 1.5, company_id: null, status: 'draft', id: 4 },
    ],
    [
      ['POST', '/products', '{"name":"a","price":1}', FORM],
      201,
      { name: 'a', price: 1, status: 'draft', id: 4 },
    ],
    [
      ['POST', '/companies/2/products', { name: 'a', price: 1 }],
      201,
      { name: 'a', price: 1, company_id: 2, status: 'draft', id: 4 },
    ],
    [
      ['PUT', '/products/9?_upsert=true', { name: 'a', price: 1 }],
      201,
      { name: 'a', price: 1, status: 'draft', id: 9 },
    ],
  ])('take %j with %i', async ([method, path, body, headers], status, stored) => {
    const { ask } = await serveShop(kept, { resources })
    const answer = await ask(method, path, body, headers)
    const { createdAt, updatedAt, ...row } = JSON.parse(answer.body)
    expect([answer.status, row]).toEqual([status, stored])
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    expect(updatedAt).toBe(createdAt)
    const changed = await ask('PUT', `/products/${row.id}`, { name: 'b', price: 2, createdAt: 'never' })
    expect(JSON.parse(changed.body)).toMatchObject({ name: 'b', createdAt })
    expect(JSON.parse(changed.body).updatedAt >= updatedAt).toBe(true)
  })

  it.each<[path: string, status: number, changed: number]>([
    ['/products?status=on%20sale', 200, 0],
    ['/products?status_ne=on%20sale', 200, 0],
    ['/products?status_in=draft,on%20sale', 200, 0],
    ['/products?status_null=true', 200, 3],
    ['/products?createdAt_null=true&id=1', 200, 1],
    ['/products?_where={"status":{"null":true},"id":[1,2]}', 200, 2],
    ['/products?stauts_null=true', 400, 0],
    ['/products?status.nested_null=true', 400, 0],
  ])(
    'let %s, whose fields they name and no row has yet, select what a PATCH changes',
    async (path, status, changed) => {
      const { ask, kept: read } = await serveShop(kept, { resources })
      expect((await ask('PATCH', path, { price: 77 })).status).toBe(status)
      const { products } = await read()
      expect([products].flat().filter((row) => Object(row).price === 77)).toHaveLength(changed)
    },
  )

  it.each<[string, unknown, status: number, found: string, errors: number]>([
    ['4 rows that do not fit', new Array(4).fill({ name: 'a' }), 422, '; and 1 more. Nothing', 4],
    [
      '150 rows that do not fit',
      new Array(150).fill({ name: 'a' }),
      422,
      '; and 147 more (errors has the first 100)',
      100,
    ],
    [
      '150 rows with two errors each',
      new Array(150).fill({}),
      422,
      '; and 297 more (errors has the first 100)',
      100,
    ],
    [
      '150 rows with a name that is taken',
      new Array(151).fill({ name: 'a', price: 1 }),
      409,
      '; and 147 more (errors has the first 100)',
      100,
    ],
    [
      '150 rows that point nowhere',
      Array.from({ length: 150 }, (_, n) => ({ name: `n${n}`, price: 1, company_id: 99 })),
      422,
      '; and 147 more (errors has the first 100)',
      100,
    ],
  ])('say how many errors there are: %s', async (_, rows, status, found, errors) => {
    const { ask } = await serveShop(kept, { resources })
    const answer = await ask('POST', '/products', rows)
    expect(answer.status).toBe(status)
    const body = JSON.parse(answer.body)
    expect(body.message).toContain(found)
    expect(Object.keys(body.errors)).toHaveLength(errors)
  })

  it('let a DELETE take along what it says, and what the client names', async () => {
    const { ask, kept: read } = await serveShop(kept, { resources, cascade: true })
    expect((await ask('DELETE', '/products/2')).status).toBe(200)
    expect((await read()).reviews).toEqual([{ id: 2, product_id: 3 }])
    expect((await ask('DELETE', '/companies/1')).status).toBe(409)
    const other = await serveShop(kept, { resources })
    expect((await other.ask('DELETE', '/companies/2?_dependent=products')).status).toBe(200)
    expect(await other.kept()).toMatchObject({ products: [{ id: 1 }], reviews: [] })
  })

  it('answer one of many that come together, and refuse the others', async () => {
    const { ask, kept: read } = await serveShop(kept, { resources })
    const post = () => ask('POST', '/products', { name: 'mine', price: 1 })
    const answers = await Promise.all(Array.from({ length: 60 }, post))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 59 }, () => 409),
    ])
    expect((await read()).products).toHaveLength(4)
  })
})

it('errors are counted no further than would keep other writes waiting', { timeout: 30_000 }, async () => {
  const { ask } = await serveShop('a live object', { resources })
  const { body } = await ask('POST', '/products', new Array(60_000).fill({}))
  expect(JSON.parse(body).message).toContain('; and at least 99,997 more (errors has the first 100)')
})

/** Resources with one schema each, all empty unless there are rows. */
async function serveWith(schema: object, rows: readonly object[] = [], more: object = {}) {
  return serveShop(
    'a file',
    { resources: { things: { schema: { ...schema }, ...more } } },
    { things: [...rows] },
  )
}

describe('the id that the server makes', () => {
  const named = (id: object) => ({ properties: { id }, required: ['id'], additionalProperties: false })
  const UUID = /^"[\da-f]{8}-/

  it.each<[string, schema: object, rows: object[], made: RegExp, more?: object]>([
    ['text', named({ type: 'string' }), [], /^"[\w-]{7}"$/],
    ['text, though rows have numbers', named({ type: 'string' }), [{ id: 1 }], /^"[\w-]{7}"$/],
    ['a number, though rows have text', named({ type: 'integer' }), [{ id: 'a' }, { id: '4' }], /^5$/],
    ['a number, where that is fine', named({ type: ['string', 'integer'] }), [], /^1$/],
    ['a UUID', named({ type: 'string', format: 'uuid' }), [], UUID],
    ['long enough', named({ type: 'string', minLength: 12 }), [], UUID],
    ['digits', named({ type: 'string', pattern: '^\\d+$' }), [{ id: '7' }], /^"8"$/],
    ['counted, as text', named({ type: 'string' }), [{ id: '7' }], /^"8"$/, { ids: 'increment' }],
    [
      'what a reference says',
      { $ref: '#/$defs/a', $defs: { a: named({ type: 'string' }) } },
      [],
      /^"[\w-]{7}"$/,
    ],
    [
      'what alternatives say',
      { oneOf: [named({ type: 'string' }), { required: ['x'] }] },
      [],
      /^"[\w-]{7}"$/,
    ],
    ['any, where the schema says nothing of it', { additionalProperties: false }, [], /^1$/],
  ])('fits the schema: %s', async (_, schema, rows, made, more) => {
    const { ask } = await serveWith(schema, rows, more)
    const answer = await ask('POST', '/things', {})
    expect([answer.status, JSON.stringify(JSON.parse(answer.body).id)]).toEqual([
      201,
      expect.stringMatching(made),
    ])
    const many = await ask('POST', '/things', [{}, {}])
    expect(many.status).toBe(201)
  })

  it('is the one in the path, as the schema wants it', async () => {
    const { ask } = await serveWith(named({ type: 'string' }))
    const answer = await ask('PUT', '/things/7?_upsert=true', {})
    expect([answer.status, JSON.parse(answer.body)]).toEqual([201, { id: '7' }])
  })

  it('is refused where none can be made: the client has to send one', async () => {
    const { ask } = await serveWith(named({ type: 'string', pattern: '^X-' }))
    const answer = await ask('POST', '/things', {})
    expect([answer.status, JSON.parse(answer.body).errors]).toEqual([422, { id: expect.any(String) }])
    expect((await ask('POST', '/things', { id: 'X-1' })).status).toBe(201)
  })
})

it.each<[number, number, boolean]>([
  [0.01, 19.99, true],
  [0.01, 1.13, true],
  [0.01, 1234567890123.45, true],
  [0.01, -0.29, true],
  [0.01, 19.995, false],
  [0.01, 0, true],
  [0.1, 0.3, true],
  [1e-7, 3e-7, true],
  [2.5, 7.5, true],
  [2.5, 6, false],
  [10, 1e300, true],
  [3, 10, false],
])('multipleOf %d judges %d by its digits: %s', async (multipleOf, price, isFine) => {
  const { ask } = await serveWith({ properties: { price: { multipleOf } } })
  const answer = await ask('POST', '/things', { price })
  const errors = isFine ? undefined : { price: `must be a multiple of ${multipleOf}` }
  expect([answer.status, JSON.parse(answer.body).errors]).toEqual([isFine ? 201 : 422, errors])
})

it.each<[string, schema: object, sent: object, stored: object]>([
  [
    'an object that a default made',
    {
      at: {
        default: {},
        properties: { country: { default: 'DE' }, geo: { default: {}, properties: { lat: { default: 0 } } } },
      },
    },
    {},
    { at: { country: 'DE', geo: { lat: 0 } } },
  ],
  [
    'entries of a list that a default made',
    { lines: { default: [{ sku: 'a' }, {}], items: { properties: { count: { default: 1 } } } } },
    {},
    { lines: [{ sku: 'a', count: 1 }, { count: 1 }] },
  ],
  [
    'no more than is missing',
    { at: { default: { b: 2 }, properties: { b: { default: 1 } } } },
    {},
    { at: { b: 2 } },
  ],
  [
    'an object in one that was sent',
    { at: { properties: { geo: { default: {}, properties: { lat: { default: 0 } } } } } },
    { at: {} },
    { at: { geo: { lat: 0 } } },
  ],
  ['an object that contains itself, once', { at: { $ref: '#/$defs/node' } }, {}, { at: { n: 1, next: {} } }],
])('defaults fill %s', async (_, properties, sent, stored) => {
  const node = { default: {}, properties: { n: { default: 1 }, next: { $ref: '#/$defs/node' } } }
  const { ask } = await serveWith({ properties, $defs: { node } })
  expect(JSON.parse((await ask('POST', '/things', sent)).body)).toEqual({ ...stored, id: 1 })
  expect(JSON.parse((await ask('PUT', '/things/1', sent)).body)).toEqual({ ...stored, id: 1 })
})

it.each<[string, Record<string, string>]>([
  ['as a form, as curl does', FORM],
  ['as text', { 'content-type': 'text/plain' }],
  ['without a type', { 'content-type': '' }],
])('JSON that is sent %s keeps its types', async (_, headers) => {
  const { ask } = await serveWith({
    properties: { code: { type: 'integer' }, on: { type: 'boolean' }, tags: { type: 'array' } },
  })
  const text = '{"code":"007","on":"true","tags":"red"}'
  const answer = await ask('POST', '/things', text, headers)
  expect([answer.status, JSON.parse(answer.body).errors]).toEqual([
    422,
    { code: 'must be a whole number', on: 'must be true or false', tags: 'must be a list' },
  ])
  expect((await ask('POST', '/things', '{"code":7,"on":true}', headers)).status).toBe(201)
})

describe('rules of a router', () => {
  it('are compiled when it is made, and hold for a dry run too', async () => {
    const data = { users: [{ id: 1, email: 'a@b.co' }] }
    const app = create()
    app.use(
      router(data, {
        _isFake: true,
        resources: { users: { schema: { required: ['email'] }, unique: ['email'] } },
      }),
    )
    const url = await serving(app)
    const post = async (body: object) => (await fetch(`${url}/users`, json('POST', body))).status
    expect([await post({}), await post({ email: 'a@b.co' }), await post({ email: 'c' })]).toEqual([
      422, 409, 201,
    ])
    expect(data.users).toHaveLength(1)
  })

  it.each<[string, object, string]>([
    ['an unknown key', { users: { uniqe: [] } }, 'there is no setting "resources.users.uniqe"'],
    [
      'unique that is no list',
      { users: { unique: 'email' } },
      '"resources.users.unique" must be a list of fields.',
    ],
    [
      'an unknown way to delete',
      { users: { references: { a: { resource: 'users', onDelete: 'x' } } } },
      'must be one of "keep"',
    ],
    [
      'a reference to nothing',
      { users: { references: { a: { resource: 'x' } } } },
      'there is no collection "x"',
    ],
    [
      'a schema that is missing',
      { users: { schema: 'nowhere.json' } },
      'resources.users.schema: there is no file nowhere.json in ',
    ],
  ])('are refused with one line: %s', (_, settings, message) => {
    const make = () => Reflect.apply(router, undefined, [{ users: [] }, { resources: settings }])
    expect(make).toThrow(message)
  })
})
