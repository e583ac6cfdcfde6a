import express, { type ErrorRequestHandler } from 'express'
import request from 'supertest'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Data } from '../../../src/core/engine/types.ts'
import { Clock } from '../../../src/core/kernel/util/clock.ts'
import {
  HEALTH_ENDPOINTS,
  type HealthCheckOptions,
  healthCheck,
  STATS_ENDPOINTS,
  stats,
} from '../../../src/endpoints/health-and-stats.ts'
import { serveEndpoints } from '../../../src/endpoints/serve-endpoints.ts'

const health = (options: Partial<HealthCheckOptions> = {}, has = (_name: string) => false) =>
  serveEndpoints(HEALTH_ENDPOINTS, healthCheck({ uptime: () => 12.5, clock: new Clock(), ...options }), {
    has,
  })
const statistics = (data: Data, has = (_name: string) => false) =>
  serveEndpoints(
    STATS_ENDPOINTS,
    stats(() => data),
    { has },
  )

it('reports ok, uptime and time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const app = express().use(health())
  const { status, body, text } = await request(app).get('/health-check')
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok', uptime: 12.5, timestamp: '1970-01-01T00:00:00.000Z' })
  expect(text).toBe(JSON.stringify(body, null, 2))
})

it('answers HEAD without a body', async () => {
  const { status, text } = await request(express().use(health())).head('/health-check')
  expect([status, text]).toEqual([200, undefined])
})

it.each([
  ['get', '/health'],
  ['post', '/health-check'],
  ['get', '/health-check/1'],
] as const)('leaves %s %s to the router', async (verb, path) => {
  const app = express().use(health(), (_req, res) => void res.status(418).end())
  expect((await request(app)[verb](path)).status).toBe(418)
})

it("gives way to a user's resource of that name", async () => {
  const app = express().use(health({}, (name) => name === 'health-check'))
  app.use((_req, res) => void res.status(418).end())
  expect((await request(app).get('/health-check')).status).toBe(418)
})

it('waits until the data can be reached, and passes on that it cannot', async () => {
  let isThere = false
  const check = async () => {
    if (!isThere) throw Object.assign(new Error('away'), { status: 503 })
  }
  const app = express().use(health({ check }))
  app.use(((error, _req, res, _next) => void res.status(error.status).end()) satisfies ErrorRequestHandler)
  expect((await request(app).get('/health-check')).status).toBe(503)
  isThere = true
  expect((await request(app).get('/health-check')).status).toBe(200)
})

async function statsOf(data: Data): Promise<unknown> {
  const { status, body } = await request(express().use(statistics(data))).get('/stats')
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
  ['leaves singular resources out', { profile: { revenue: 3 } }, {}],
  ['answers for no data at all', {}, {}],
  ['has no revenue where no collection has', { posts: [{ id: 1 }] }, { posts: 1 }],
  ['has the sum even if it is nothing', { posts: [{ revenue: 0 }] }, { posts: 1, totalRevenue: 0 }],
])('%s', async (_name, data, expected) => {
  expect(await statsOf(data)).toEqual(expected)
})

it('answers HEAD', async () => {
  expect((await request(express().use(statistics({}))).head('/stats')).status).toBe(200)
})

it("statistics give way to a user's resource of their name", async () => {
  const handler = statistics({}, (name) => name === 'stats')
  const app = express().use(handler, (_req, res) => void res.status(418).end())
  expect((await request(app).get('/stats')).status).toBe(418)
})
