import { beforeAll, describe, expect, it } from 'vitest'
import { describeApi, type StartOptions } from '../../src/index.ts'
import { describeFields } from '../../src/page/tools/describe-field.ts'
import { exampleCall, exampleRow } from '../../src/page/tools/example-call.ts'
import { type ApiDocument, readDocument, readOperation } from '../../src/page/tools/read-document.ts'

const DATA = {
  products: [{ id: 7, name: 'Desk', price: 1.5, company_id: 3, tags: ['a'] }],
  companies: [{ id: 3, name: 'Acme' }],
  profile: { theme: 'dark' },
  server: [{ id: 'a b' }],
}

async function read(options: StartOptions = {}): Promise<ApiDocument> {
  const api = await describeApi({ data: structuredClone(DATA), foreignKeySuffix: '_id', ...options })
  const found = readDocument(JSON.parse(JSON.stringify(await api.openapi())))
  if (!found) throw new Error('That is no document')
  return found
}

let document: ApiDocument
beforeAll(async () => {
  document = await read()
})
const resource = (name: string, from = document) => {
  const found = from.resources.find((one) => one.name === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}
const operation = (name: string, wanted: string, from = document) => {
  const found = resource(name, from).operations.find(({ method, path }) => `${method} ${path}` === wanted)
  if (!found) throw new Error(`There is no ${wanted}`)
  return found
}
const details = (name: string, wanted: string, from = document) =>
  readOperation(operation(name, wanted, from), from.root)
const example = (name: string, wanted: string) => {
  const { operations, schema } = resource(name)
  const source = { row: exampleRow(operations, document.root), schema, idField: 'id' }
  return exampleCall(operation(name, wanted), details(name, wanted), source)
}

describe('what the page reads from the OpenAPI document', () => {
  it('is each resource, with its fields and where it is found', () => {
    expect(document.resources.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      ...['products collection', 'companies collection', 'profile object', 'server collection'],
    ])
    const fields = describeFields(resource('products').schema, document.root)
    expect(fields.map(({ path }) => path)).toEqual(['id', 'name', 'price', 'company_id', 'tags'])
    expect(fields.every(({ field }) => field.isInferred)).toBe(true)
    expect([...new Set(resource('products').operations.map(({ path }) => path))]).toEqual([
      ...['/products', '/products/{id}', '/companies/{id}/products', '/companies/{id}/products/{childId}'],
    ])
  })

  it('is the server, even beside a resource of that name', () => {
    expect(document.others.map(({ path }) => path)).toEqual(expect.arrayContaining(['/db', '/__openapi']))
    expect(document.others.map(({ path }) => path)).not.toContain('/server')
    expect(resource('server').operations.map(({ path }) => path)).toContain('/server/{id}')
  })

  it('is what an operation takes, with its filters by field', () => {
    const { parameters, filters, responses } = details('products', 'GET /products')
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['_sort', '_fields', 'Prefer']))
    expect(filters.get('price')).toEqual(expect.arrayContaining(['', '_gte', '_between']))
    expect(filters.get('tags')).toContain('_contains')
    expect(responses.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 304, 400]))
    expect(responses.find(({ status }) => status === 400)?.description).toContain('`INVALID_QUERY`')
    expect(details('products', 'PATCH /products/{id}').body?.types).toHaveLength(3)
  })

  it('is what guards ask for', async () => {
    const guarded = await read({ middlewares: ['api-key', 'bearer'] })
    expect(details('products', 'GET /products', guarded).guards).toEqual([
      ...['api-key (header X-API-KEY)', 'bearer (header Authorization: Bearer …)'],
    ])
    expect(details('products', 'GET /products').guards).toEqual([])
  })

  it.each([
    ['products', 'GET /products', '/products'],
    ['products', 'GET /products/{id}', '/products/7'],
    ['products', 'GET /companies/{id}/products/{childId}', '/companies/3/products/7'],
    ['products', 'DELETE /products', '/products?id=7'],
    ['server', 'GET /server/{id}', '/server/a%20b'],
  ])('is an example of %s that works: %s', (name, wanted, path) => {
    expect(example(name, wanted).path).toBe(path)
  })

  it('is the body of an example', () => {
    expect(example('products', 'POST /products').body).toBe(
      '{"name":"Desk","price":1.5,"company_id":3,"tags":["a"]}',
    )
    expect(example('products', 'GET /products')).not.toHaveProperty('body')
  })

  it.each([[undefined], [{}], ['text'], [[]], [{ openapi: '3.1.0' }]])('is nothing in %j', (other) => {
    expect(readDocument(other)).toBeUndefined()
  })
})
