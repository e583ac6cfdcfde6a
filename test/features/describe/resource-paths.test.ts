import { expect, it } from 'vitest'
import { resourcePaths } from '../../../src/schema/resource-paths.ts'
import { modelOf } from '../../support/describable.ts'

const SHOP = {
  products: [{ id: 1, name: 'Desk', company_id: 2, tag_ids: [1] }],
  companies: [{ id: 2, name: 'Acme' }],
  tags: [],
  profile: { name: 'Ada', company_id: 2 },
}

it.each([
  ['companies', ['', '/{id}', '/{id}/products', '/{id}/products/{childId}']],
  ['products', ['', '/{id}']],
  ['tags', ['', '/{id}']],
  ['profile', ['']],
])('the paths of %s', async (name, below) => {
  const model = await modelOf(SHOP)
  const resource = model.resources.find((one) => one.name === name)
  const paths = resource ? resourcePaths(model, resource) : []
  expect(paths.map(({ path }) => path)).toEqual(below.map((end) => `/${name}${end}`))
  expect(paths.every(({ operations }) => operations.length === 4)).toBe(true)
})
