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

describe.each<Kept>(['a file', 'a live object'])('rules, in %s', (kept) => {
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
      'nowhere.json: there is no such schema file',
    ],
  ])('are refused with one line: %s', (_, settings, message) => {
    const make = () => Reflect.apply(router, undefined, [{ users: [] }, { resources: settings }])
    expect(make).toThrow(message)
  })
})
