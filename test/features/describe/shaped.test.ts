import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { describeApi, open, type StartOptions } from '../../../src/index.ts'
import { PRESETS } from '../../../src/wings/shapes/presets.ts'

const data = {
  products: [{ id: 1, name: 'Desk', unit_price: 2, company_id: 1 }],
  companies: [{ id: 1, full_name: 'Ada' }],
}
const SHAPES: readonly Partial<StartOptions>[] = [
  ...Object.keys(PRESETS).map((shape) => ({ shape })),
  { wrap: 'data' },
  { shape: { list: { rows: '$rows' }, error: { why: '$message' }, keys: 'camel' } },
]
const OPERATIONS = [
  ['get', '/products', '/products?_page=1&_limit=1', 200],
  ['get', '/products/{id}', '/products/1', 200],
  ['get', '/products/{id}', '/products/9', 404],
  ['get', '/products', '/products?_where=[', 400],
  ['get', '/companies/{id}/products', '/companies/1/products', 200],
  ['get', '/db', '/db', 200],
  ['delete', '/products', '/products?id=1', 200],
  ['delete', '/companies/{id}', '/companies/1', 200],
] as const

/** The schema of a response of a media type, with what it refers to inside of the document. */
function schemaAt(document: object, path: string, method: string, status: number, type: string): object {
  const find = (value: unknown, ...keys: readonly (string | number)[]): unknown =>
    keys.reduce<unknown>((here, key) => Object(resolved(here))[key], value)
  const resolved = (value: unknown): unknown => {
    const { $ref } = Object(value)
    return typeof $ref === 'string' ? find(document, ...$ref.slice(2).split('/')) : value
  }
  const content = find(document, 'paths', path, method, 'responses', status, 'content', type)
  expect([method, path, status, type, content]).toEqual([method, path, status, type, expect.any(Object)])
  return { ...Object(find(content, 'schema')), components: Object(document).components }
}

describe.each(SHAPES)('with %j', (options) => {
  it('the OpenAPI document describes what is sent, its examples included', async () => {
    const settings = { data: structuredClone(data), live: false, foreignKeySuffix: '_id', ...options }
    const api = await open(settings)
    const document = JSON.parse(await (await api.fetch('/__openapi')).text())
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    for (const [method, path, url, status] of OPERATIONS) {
      const response = await api.fetch(url, { method: method.toUpperCase() })
      expect(response.status, url).toBe(status)
      const [type = ''] = response.headers.get('Content-Type')?.split(';') ?? []
      const validate = ajv.compile(schemaAt(document, path, method, status, type))
      expect([url, validate(JSON.parse(await response.text())), validate.errors]).toEqual([url, true, null])
    }
    await api.close()
  })
})

it('the OpenAPI document asks for no attributes where relationships are enough', async () => {
  const { paths } = await (await describeApi({ data, shape: 'jsonapi' })).openapi()
  const { get, patch } = Object(paths['/products/{id}'])
  const text = JSON.stringify(patch.requestBody)
  expect(text).toContain('"required":["data"]')
  expect(text).not.toContain('"required":["attributes"]')
  expect(Object.keys(get.responses[200].content)).toEqual(['application/vnd.api+json'])
  const list = Object(paths['/products']).get.responses[200].content
  expect(list['application/json'].schema.description).toContain('_explain')
})

it('the OpenAPI document describes what is created below a parent: its key is the text of the path', async () => {
  const options = { data: structuredClone(data), live: false, foreignKeySuffix: '_id', shape: 'jsonapi' }
  const api = await open(options)
  const document = JSON.parse(await (await api.fetch('/__openapi')).text())
  const path = '/companies/{id}/products'
  const type = 'application/vnd.api+json'
  const body = { data: { type: 'products', attributes: { name: 'Lamp', unit_price: 3 } } }
  const sent = { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(body) }
  const created = JSON.parse(await (await api.fetch('/companies/1/products', sent)).text())
  expect(created.data.attributes.company_id).toBe('1')
  const { example } = document.paths[path].post.responses[201].content[type]
  const validate = new Ajv2020({ strict: false }).compile(schemaAt(document, path, 'post', 201, type))
  for (const one of [created, example]) {
    validate(one)
    expect(validate.errors).toBeNull()
  }
  await api.close()
})

it('types and schemas have the names and what surrounds the rows', async () => {
  const shape = { list: { items: '$rows', total: '$total' }, item: { item: '$row' }, keys: 'camel' as const }
  const api = await describeApi({ data, foreignKeySuffix: '_id', shape })
  const types = await api.types()
  expect(types).toContain('  unitPrice: number\n')
  expect(types).toMatch(/namespace Stored \{[^}]*interface Product \{[^}]*unit_price: number/)
  expect(types).toContain("  products: { row: Stored.Product; new: Stored.NewProduct; kind: 'collection' }\n")
  expect(types).toContain('GET: { data: ({ items: ((Product & ProductRelations)[]); total: number }) }')
  expect(types).toContain('POST: { body: { item: NewProduct }; data: { item: Product } }')
  expect(JSON.stringify(await api.schema())).toContain('"companyId"')
})

it('types have no relations among the attributes of JSON:API', async () => {
  const types = await (await describeApi({ data, foreignKeySuffix: '_id', shape: 'jsonapi' })).types()
  expect(types).toContain('attributes: Omit<Product, "id">')
  expect(types).not.toContain('Omit<Product & ProductRelations')
})

it('the schema is of stored names for those who prefer rows as they are', async () => {
  const api = await open({ data: structuredClone(data), live: false, shape: { keys: 'camel' } })
  const read = async (headers: Record<string, string>) =>
    Object.keys(JSON.parse(await (await api.fetch('/__schema/products', { headers })).text()).properties)
  expect(await read({})).toContain('unitPrice')
  expect(await read({ Prefer: 'shape=none' })).toContain('unit_price')
  await api.close()
})
