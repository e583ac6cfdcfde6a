import { expect, it } from 'vitest'
import { serveShop } from '../../support/http/shop.ts'

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

it('a filtered write still refuses a field that no row has: it would change them all', async () => {
  const { ask } = await serveShop('a file', { resources })
  expect((await ask('DELETE', '/products?color=red')).status).toBe(400)
})
