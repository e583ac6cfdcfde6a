import { afterAll, expect, it } from 'vitest'
import { type OpenedServer, open, type StartOptions } from '../../../src/index.ts'

type Shape = NonNullable<StartOptions['shape']>

const servers = new Map<string, OpenedServer>()
afterAll(async () => {
  for (const each of servers.values()) await each.close()
})

async function serverOf(shape: Shape): Promise<OpenedServer> {
  const key = JSON.stringify(shape)
  const products = [
    { id: 1, name: 'Desk', price: 89, in_stock: true, size_info: { box_width: 1 }, company_id: 1 },
  ]
  const data = { products, companies: [{ id: 1, name: 'Acme' }] }
  const api =
    servers.get(key) ?? (await open({ data, live: false, foreignKeySuffix: '_id', shape, strict: true }))
  servers.set(key, api)
  return api
}

const CAMEL: Shape = { keys: 'camel', params: { sort: 'order_by', filter: 'filter' } }

it.each<[Shape, string, string]>([
  ['laravel', 'filter[pricee]=3', 'filter[pricee]: no row has the field pricee; correct the name.'],
  ['laravel', 'sort=pricee', 'sort=pricee had no effect: no item has such a field. Did you mean sort=price?'],
  [
    'laravel',
    '_sort=pricee',
    '_sort=pricee had no effect: no item has such a field. Did you mean _sort=price?',
  ],
  ['laravel', 'page=x', 'page has a value that cannot be read. Did you mean page=1?'],
  [
    'laravel',
    'include=compny',
    'include=compny had no effect: there is no such relation. Did you mean include=company?',
  ],
  [
    'strapi',
    'sort=pricee:desc',
    'sort=pricee had no effect: no item has such a field. Did you mean sort=price?',
  ],
  ['strapi', 'filters[$or][0][pricee][$gt]=3', 'filters[$or][0][pricee][$gt]: no row has the field pricee'],
  ['strapi', 'filters[price][$between]=3', 'filters[price][$between] must be a list of two values.'],
  [
    'strapi',
    'filters[price][$foo]=3',
    'filters[price][$foo]: no row has the field price.foo, and foo is not an operator',
  ],
  ['drf', 'pricee__gte=3', 'pricee__gte matched nothing: no item has such a field. Did you mean price__gte?'],
  ['drf', 'pricee__range=3', 'Did you mean price__range?'],
  [CAMEL, 'inStokc=true', 'inStokc had no effect: no item has such a field. Did you mean inStock?'],
  ['laravel', 'per_page=abc', 'per_page has a value that cannot be read. Did you mean per_page=10?'],
  ['dummyjson', 'limit=abc', 'limit has a value that cannot be read. Did you mean limit=10?'],
  [CAMEL, 'inStokc_ne=true', 'Did you mean inStock_ne?'],
  [
    CAMEL,
    'order_by=inStokc',
    'order_by=inStokc had no effect: no item has such a field. Did you mean order_by=inStock?',
  ],
  [
    CAMEL,
    'filter[sizeInfo][boxWidht]=1',
    'filter[sizeInfo][boxWidht]: no row has the field sizeInfo.boxWidht',
  ],
])('%j: %s is refused in the words of the client', async (shape, query, message) => {
  const response = await (await serverOf(shape)).fetch(`/products?${query}`)
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)])
})

it('says so in writes, too', async () => {
  const drf = await serverOf('drf')
  const refused = await drf.fetch('/products?price__range=3', { method: 'DELETE' })
  expect(await refused.text()).toContain('of price__range cannot be read')
  const headers = { 'Content-Type': 'application/json-patch+json' }
  const body = JSON.stringify([{ op: 'remove', path: '/sizeInfo/boxHeight' }])
  const patched = await (await serverOf(CAMEL)).fetch('/products/1', { method: 'PATCH', headers, body })
  expect([patched.status, await patched.text()]).toEqual([
    422,
    expect.stringContaining('/sizeInfo/boxHeight'),
  ])
})

it('explains a filter as one condition', async () => {
  const response = await (await serverOf('jsonapi')).fetch('/products?filter[price][gte]=5&_explain=true')
  expect(await response.json()).toMatchObject({
    filters: [{ field: 'price', operator: 'gte', values: ['5'] }],
  })
})
