import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeApi, type OpenedServer, type OpenOptions, open } from '../../../src/index.ts'

const DATA = {
  countries: [{ id: 1 }, { id: 2 }],
  companies: [
    { id: 1, country_id: 1 },
    { id: 2, country_id: 2 },
  ],
  products: [
    { id: 1, company_id: 1 },
    { id: 2, company_id: 2 },
  ],
  reviews: [
    { id: 1, product_id: 1, stars: 1 },
    { id: 2, product_id: 1, stars: 2 },
    { id: 3, product_id: 2, stars: 3 },
  ],
  votes: [{ id: 1, review_id: 2 }],
  comments: [{ id: 1, vote_id: 1 }],
  profile: { product_id: 1 },
}

let api: OpenedServer
beforeAll(async () => {
  api = await open({ data: DATA, live: false, foreignKeySuffix: '_id' })
  return () => api.close()
})

async function ask(path: string, method = 'GET', body?: unknown, from: Pick<OpenedServer, 'fetch'> = api) {
  const headers = { 'Content-Type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const response = await from.fetch(path, init)
  return [response.status, await response.json()] as const
}

it.each<[string, number, unknown]>([
  ['/companies/1/products/1/reviews', 200, DATA.reviews.slice(0, 2)],
  ['/companies/1/products/1/reviews/2', 200, DATA.reviews[1]],
  ['/Companies/1/products/1/REVIEWS/2/', 200, DATA.reviews[1]],
  [
    '/companies/1/products/1/reviews?stars_gt=1&_embed=votes',
    200,
    [{ ...DATA.reviews[1], votes: DATA.votes }],
  ],
  ['/countries/1/companies/1/products/1/reviews/2/votes/1', 200, DATA.votes[0]],
  ['/countries/1/companies/1/products/1/reviews/2/votes', 200, DATA.votes],
  // A link that does not hold.
  ['/companies/1/products/2/reviews', 404, {}],
  ['/companies/9/products/1/reviews', 404, {}],
  ['/companies/1/products/9/reviews', 404, {}],
  ['/countries/2/companies/1/products/1/reviews', 404, {}],
  // The last is judged as for two.
  ['/companies/1/products/1/reviews/3', 404, {}],
  ['/companies/1/products/1/reviews?stars=9', 200, []],
  ['/companies/9/products', 200, []],
  // Six collections, one that is none, and no relation.
  ['/countries/1/companies/1/products/1/reviews/2/votes/1/comments', 404, {}],
  ['/profile/1/products/1/reviews', 404, {}],
  ['/companies/1/products/1/profile', 404, {}],
  ['/companies/1/reviews/1/votes', 404, {}],
])('%s is %i', async (path, status, body) => {
  expect(await ask(path)).toEqual([status, body])
})

it('a POST sets the nearest key, where all links hold; other writes are those of the last two', async () => {
  expect(await ask('/companies/1/products/1/reviews', 'POST', { stars: 5 })).toEqual([
    201,
    { stars: 5, product_id: '1', id: 4 },
  ])
  expect(await ask('/companies/2/products/1/reviews', 'POST', { stars: 5 })).toEqual([404, {}])
  expect(await ask('/companies/2/products/1/reviews/4', 'PATCH', { stars: 6 })).toEqual([404, {}])
  expect((await ask('/companies/1/products/1/reviews/4', 'PATCH', { stars: 6 }))[1]).toMatchObject({
    stars: 6,
  })
  expect((await ask('/companies/1/products/2/reviews/4', 'DELETE'))[0]).toBe(404)
  expect((await ask('/companies/1/products/1/reviews/4', 'DELETE'))[0]).toBe(200)
})

it('a cached answer follows each link', async () => {
  const own = await open({ data: structuredClone(DATA), foreignKeySuffix: '_id', live: false })
  onTestFinished(() => own.close())
  const path = '/companies/1/products/1/reviews'
  for (let at = 0; at < 3; at++) expect((await ask(path, 'GET', undefined, own))[0]).toBe(200)
  await ask('/products/1', 'PATCH', { company_id: 2 }, own)
  expect((await ask(path, 'GET', undefined, own))[0]).toBe(404)
  expect((await ask('/companies/2/products/1/reviews', 'GET', undefined, own))[0]).toBe(200)
})

it('a parent that a client cannot read is not there, whether or not it would have to log in', async () => {
  const resources = {
    products: { access: { read: 'owner' } },
    companies: { access: { read: 'anyone' } },
  } as const
  const layers = { middlewares: ['accounts'], accounts: { secret: 'x'.repeat(32) } }
  const data = { ...structuredClone(DATA), users: [] }
  const own = await open({ data, foreignKeySuffix: '_id', live: false, resources, ...layers } as OpenOptions)
  onTestFinished(() => own.close())
  expect((await ask('/products', 'GET', undefined, own))[0]).toBe(401)
  expect(await ask('/companies/1/products/1/reviews', 'GET', undefined, own)).toEqual([404, {}])
  expect((await ask('/reviews', 'GET', undefined, own))[0]).toBe(200)
})

it('are described through three collections, none of them twice', async () => {
  const described = await describeApi({ data: DATA, foreignKeySuffix: '_id' })
  const paths = Object.keys((await described.openapi()).paths).filter((path) => path.startsWith('/companies'))
  expect(paths.filter((path) => path.split('/').length > 4)).toEqual([
    '/companies/{id}/products/{childId}',
    '/companies/{id}/products/{childId}/reviews',
    '/companies/{id}/products/{childId}/reviews/{grandchildId}',
  ])
  expect(await described.types()).toContain('"/companies/{id}/products/{childId}/reviews/{grandchildId}": {')
})
