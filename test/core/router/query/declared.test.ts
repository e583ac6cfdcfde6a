import { expect, it } from 'vitest'
import { serveShop } from '../../../support/http/shop.ts'

const resources = {
  products: {
    schema: { properties: { size: { type: 'object' }, color: {} } },
    references: { made_by: { resource: 'companies' } },
    timestamps: true,
  },
}

it.each([
  ['products', 'color=red', 200],
  ['products', 'color_contains=red', 200],
  ['products', 'size.width_gt=3', 200],
  ['products', 'color_ne=red', 200],
  ['products', 'made_by=1', 200],
  ['products', '_sort=createdAt&updatedAt_gte=2026', 200],
  ['products', 'colour=red', 400],
  ['companies', 'color=red', 400],
])('a strict query knows what the rules of its resource name: /%s?%s is %i', async (name, query, status) => {
  const { ask } = await serveShop('a file', { resources, strict: true })
  expect((await ask('GET', `/${name}?${query}`)).status).toBe(status)
})

it.each([
  ['color=red', 200],
  ['colour=red', 400],
])('a filtered write by a field that no row has removes nothing: ?%s is %i', async (query, status) => {
  const { ask } = await serveShop('a file', { resources })
  const before = (await ask('GET', '/products')).body
  expect((await ask('DELETE', `/products?${query}`)).status).toBe(status)
  expect((await ask('GET', '/products')).body).toEqual(before)
})
