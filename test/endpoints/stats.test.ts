import express from 'express'
import request from 'supertest'
import { expect, it } from 'vitest'
import { stats } from '../../src/endpoints/stats.ts'
import type { Data } from '../../src/storage/types.ts'

async function statsOf(data: Data): Promise<unknown> {
  const { status, body } = await request(express().use(stats({ state: () => data, has: () => false }))).get(
    '/stats',
  )
  expect(status).toBe(200)
  return body
}

it.each<[string, Data, object]>([
  [
    'counts items by collection and adds up the revenue',
    { products: [{ id: 1 }], companies: [{ revenue: 1000.25 }, { revenue: 2000.5 }] },
    { products: 1, companies: 2, totalRevenue: 3000.75 },
  ],
  [
    'adds without binary noise',
    { companies: [{ revenue: 0.1 }, { revenue: 0.2 }] },
    { companies: 2, totalRevenue: 0.3 },
  ],
  [
    'adds a hundred thousand rows to the cent',
    { companies: Array.from({ length: 100_000 }, () => ({ revenue: 99_999_999.99 })) },
    { companies: 100_000, totalRevenue: 9_999_999_999_000 },
  ],
  [
    'counts only numbers as revenue, in any collection',
    { a: [{ revenue: '5' }, { revenue: null }, {}, null, 7], b: [{ revenue: 1.5 }] },
    { a: 5, b: 1, totalRevenue: 1.5 },
  ],
  ['leaves singular resources out', { profile: { revenue: 3 } }, { totalRevenue: 0 }],
  ['answers for no data at all', {}, { totalRevenue: 0 }],
])('%s', async (_name, data, expected) => {
  expect(await statsOf(data)).toEqual(expected)
})

it('answers HEAD', async () => {
  expect(
    (await request(express().use(stats({ state: () => ({}), has: () => false }))).head('/stats')).status,
  ).toBe(200)
})

it("gives way to a user's resource of that name", async () => {
  const handler = stats({ state: () => ({}), has: (name) => name === 'stats' })
  const app = express().use(handler, (_req, res) => void res.status(418).end())
  expect((await request(app).get('/stats')).status).toBe(418)
})
