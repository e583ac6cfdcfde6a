import express, { type ErrorRequestHandler } from 'express'
import request from 'supertest'
import { expect, it, onTestFinished, vi } from 'vitest'
import { healthCheck } from '../../src/endpoints/health-check.ts'

const uptime = () => 12.5

it('reports ok, uptime and time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const app = express().use(healthCheck({ uptime, has: () => false }))
  const { status, body, text } = await request(app).get('/health-check')
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok', uptime: 12.5, timestamp: '1970-01-01T00:00:00.000Z' })
  expect(text).toBe(JSON.stringify(body, null, 2))
})

it('answers HEAD without a body', async () => {
  const { status, text } = await request(express().use(healthCheck({ uptime, has: () => false }))).head(
    '/health-check',
  )
  expect([status, text]).toEqual([200, undefined])
})

it.each([
  ['get', '/health'],
  ['post', '/health-check'],
  ['get', '/health-check/1'],
] as const)('leaves %s %s to the router', async (verb, path) => {
  const app = express().use(
    healthCheck({ uptime, has: () => false }),
    (_req, res) => void res.status(418).end(),
  )
  expect((await request(app)[verb](path)).status).toBe(418)
})

it("gives way to a user's resource of that name", async () => {
  const app = express().use(healthCheck({ uptime, has: (name) => name === 'health-check' }))
  app.use((_req, res) => void res.status(418).end())
  expect((await request(app).get('/health-check')).status).toBe(418)
})

it('waits until the data can be reached, and passes on that it cannot', async () => {
  let isThere = false
  const check = async () => {
    if (!isThere) throw Object.assign(new Error('away'), { status: 503 })
  }
  const app = express().use(healthCheck({ uptime, has: () => false, check }))
  app.use(((error, _req, res, _next) => void res.status(error.status).end()) satisfies ErrorRequestHandler)
  expect((await request(app).get('/health-check')).status).toBe(503)
  isThere = true
  expect((await request(app).get('/health-check')).status).toBe(200)
})
