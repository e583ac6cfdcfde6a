import express from 'express'
import request from 'supertest'
import { expect, it } from 'vitest'
import { healthCheck } from '../../src/endpoints/health-check.ts'

it('says ok, since when, and what time it is', async () => {
  const app = express().use(healthCheck({ uptime: () => 12.5, clock: () => 0 }))
  const { status, body, text } = await request(app).get('/health-check')
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'ok', uptime: 12.5, timestamp: '1970-01-01T00:00:00.000Z' })
  expect(text).toBe(JSON.stringify(body, null, 2))
})

it('counts the uptime itself when nobody tells', async () => {
  const { body } = await request(express().use(healthCheck())).get('/health-check')
  expect(body.uptime).toBeGreaterThanOrEqual(0)
  expect(body.uptime).toBeLessThan(60)
  expect(Date.parse(body.timestamp)).not.toBeNaN()
})

it('answers HEAD without a body', async () => {
  const { status, text } = await request(express().use(healthCheck())).head('/health-check')
  expect([status, text]).toEqual([200, undefined])
})

it.each([
  ['get', '/health'],
  ['post', '/health-check'],
  ['get', '/health-check/1'],
] as const)('leaves %s %s to the router', async (verb, path) => {
  const app = express().use(healthCheck(), (_req, res) => void res.status(418).end())
  expect((await request(app)[verb](path)).status).toBe(418)
})

it("steps aside for a user's own resource of that name", async () => {
  const app = express().use(healthCheck({ has: (name) => name === 'health-check' }))
  app.use((_req, res) => void res.status(418).end())
  expect((await request(app).get('/health-check')).status).toBe(418)
})
