import type { RequestHandler } from 'express'
import request from 'supertest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { Clock } from '../../../src/core/kernel/util/clock.ts'
import { apiKey } from '../../../src/core/layers/api-key.ts'
import { rateLimit } from '../../../src/core/layers/rate-limit.ts'
import { expressVersions, guarded } from '../../support/http/guarded.ts'
import { inWorld } from '../../support/http/in-world.ts'
import { serve } from '../../support/http/serve.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe.each(expressVersions)('rateLimit in %s', (_, make) => {
  it('lets ten requests through in a minute and refuses the eleventh', async () => {
    const { app, reached } = guarded([rateLimit()], make)
    for (let count = 1; count <= 10; count++) {
      const answer = await request(app).get('/products')
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': String(10 - count),
      })
      expect(answer.headers).not.toHaveProperty('retry-after')
    }
    const refused = await request(app).get('/products')

    expect(refused.status).toBe(429)
    expect(Object.keys(refused.body)).toEqual(['error', 'message', 'code'])
    expect(refused.body.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'cache-control': 'no-cache',
    })
    expect(reached).toHaveLength(10)
  })
})

describe('rateLimit', () => {
  it.each([
    [1, 1, 'Only 1 request is allowed per 1 second. Wait 1 second, then try again.'],
    [2, 60_000, 'Only 2 requests are allowed per 60 seconds. Wait 60 seconds, then try again.'],
  ])('says how many are allowed: %i in %i ms', async (limit, windowMs, message) => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    const { app } = guarded([rateLimit({ limit, windowMs })])
    for (let count = 1; count <= limit; count++) await request(app).get('/')
    expect((await request(app).get('/')).body.message).toBe(message)
  })

  it('starts over when the window ends, whatever happens to the wall clock', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    const { app } = guarded([rateLimit({ limit: 1, windowMs: 5_000 })])
    const status = async () => (await request(app).get('/')).status

    expect(await status()).toBe(200)
    expect(await status()).toBe(429)
    vi.advanceTimersByTime(4_999)
    vi.setSystemTime(0)
    expect(await status()).toBe(429)
    vi.advanceTimersByTime(1)
    expect(await status()).toBe(200)
    expect(await status()).toBe(429)
  })

  it('says how long its own window is', async () => {
    const { app } = guarded([rateLimit({ limit: 1, windowMs: 1_500 })])
    await request(app).get('/')
    expect((await request(app).get('/')).headers).toHaveProperty('retry-after', '2')
  })

  it.each([
    ['an API key', { 'X-API-KEY': 'one' }, { 'X-API-KEY': 'two' }],
    ['a bearer token', { Authorization: 'Bearer one' }, { Authorization: 'Bearer two' }],
    [
      'an API key before a token',
      { 'X-API-KEY': 'one', Authorization: 'Bearer x' },
      { Authorization: 'Bearer x' },
    ],
    ['an address', {}, { 'X-API-KEY': 'one' }],
  ])('counts by %s', async (_case, first, second) => {
    const { app } = guarded([rateLimit({ limit: 1 })])
    expect((await request(app).get('/').set(first)).status).toBe(200)
    expect((await request(app).get('/').set(first)).status).toBe(429)
    expect((await request(app).get('/').set(second)).status).toBe(200)
    expect((await request(app).get('/').set(second)).status).toBe(429)
  })

  it('does not mistake a key for a token of the same text', async () => {
    const { app } = guarded([rateLimit({ limit: 1 })])
    expect((await request(app).get('/').set('X-API-KEY', 'same')).status).toBe(200)
    expect((await request(app).get('/').set('Authorization', 'Bearer same')).status).toBe(200)
  })

  it.each([
    ['one IPv4 address, however written', '10.1.2.3', '::ffff:10.1.2.3', 429],
    ['one IPv4 address, in hexadecimal', '::ffff:a01:203', '10.1.2.3', 429],
    ['two IPv4 addresses', '10.1.2.3', '::ffff:10.1.2.4', 200],
    ['one IPv6 network', '2001:db8:0:12ab::1', '2001:db8:0:12ff:1:2:3:4', 429],
    ['two IPv6 networks', '2001:db8:0:1200::1', '2001:db8:0:1300::1', 200],
    ['one IPv6 network on a link', 'fe80::1%eth0', 'fe80::2', 429],
    ['this machine and an IPv4 address', '::1', '0.0.0.1', 200],
  ])('counts addresses of %s', async (_case, first, second, status) => {
    const at: RequestHandler = (req, _res, next) => {
      Object.defineProperty(req, 'ip', { value: req.headers['x-from'] })
      next()
    }
    const { app } = guarded([at, rateLimit({ limit: 1 })])
    await request(app).get('/').set('X-From', first)
    expect((await request(app).get('/').set('X-From', second)).status).toBe(status)
  })

  it('says when the window ends', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_000_500 })
    const { app } = guarded([rateLimit({ windowMs: 60_000 })])
    expect((await request(app).get('/')).headers).toHaveProperty('x-ratelimit-reset', '1061')
  })

  it('counts each layer by itself', async () => {
    const one = guarded([rateLimit({ limit: 1 })])
    const two = guarded([rateLimit({ limit: 1 })])
    expect((await request(one.app).get('/')).status).toBe(200)
    expect((await request(two.app).get('/')).status).toBe(200)
  })

  it.each([
    ['in front of', [rateLimit(), apiKey()]],
    ['behind', [apiKey(), rateLimit()]],
  ])('sets the rate limit headers %s the API key layer', async (_case, layers) => {
    const answer = await request(guarded(layers).app).get('/').set('X-API-KEY', 'web-client-key-001')
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '9',
      'x-authenticated-client': 'generic',
    })
  })

  it('tracks at most ten thousand clients and evicts the oldest first', async () => {
    const layer = rateLimit({ limit: 1 })
    const { app } = guarded([layer])
    const call = async (key: string) => (await request(app).get('/').set('X-API-KEY', key)).status
    expect(await call('first')).toBe(200)
    expect(await call('second')).toBe(200)
    await flood(layer, 9_999)
    expect(await call('second')).toBe(429)
    expect(await call('first')).toBe(200)
  })

  it('counts ten thousand clients at most by all clocks together', async () => {
    const [one, other] = [new Clock(), new Clock()]
    const layer = rateLimit({ limit: 1 })
    const { app } = guarded([inWorld(({ headers }) => ({ clock: headers['x-clock'] ? other : one })), layer])
    const status = async (key: string, clock = {}) =>
      (
        await request(app)
          .get('/')
          .set({ 'X-API-KEY': key, ...clock })
      ).status
    expect(await status('first', { 'X-Clock': 'other' })).toBe(200)
    expect(await status('first', { 'X-Clock': 'other' })).toBe(429)
    await flood(layer, 10_000)
    expect(await status('first', { 'X-Clock': 'other' })).toBe(200)
  })

  it('counts logins by address, whatever they claim, and forgets no address for made-up keys', async () => {
    const layer = rateLimit({ limit: 2 })
    const { app } = guarded([layer])
    const attempt = async (path: string, headers = {}) => (await request(app).post(path).set(headers)).status
    expect(await attempt('/login', { 'X-API-KEY': 'one' })).toBe(200)
    expect(await attempt('/api/auth/login/', { Authorization: 'Bearer two' })).toBe(200)
    await flood(layer, 10_001)
    expect(await attempt('/signin', { 'X-API-KEY': 'three', Authorization: 'Bearer three' })).toBe(429)
    // Others still count by what they claim.
    expect(await attempt('/logins', { 'X-API-KEY': 'three' })).toBe(200)
  })

  it('starts a window again where the clock is another one, and forgets one that is over by its own', async () => {
    let clock = new Clock()
    const { app } = guarded([inWorld(() => ({ clock })), rateLimit({ limit: 1, windowMs: 60_000 })])
    const status = async (key: string) => (await request(app).get('/').set('X-API-KEY', key)).status
    const old = clock
    old.freeze()
    expect([await status('a'), await status('b'), await status('b')]).toEqual([200, 200, 429])
    clock = new Clock()
    expect([await status('b'), await status('b')]).toEqual([200, 429])
    // The window of `a` is the oldest, and is not over by its clock.
    clock.advance('1m')
    expect([await status('b'), await status('b')]).toEqual([200, 429])
  })

  it.each([
    ['{"limit":0}', 'rateLimit.limit must be a whole number from 1'],
    ['{"limit":"10"}', 'rateLimit.limit must be a whole number from 1'],
    ['{"limit":1.5}', 'rateLimit.limit must be a whole number from 1'],
    ['{"windowMs":-1}', 'rateLimit.windowMs must be a whole number from 1'],
    ['{"windowMs":1e99}', 'rateLimit.windowMs must be a whole number from 1'],
    ['{"max":5}', 'rateLimit.max is not an option; the options are: limit, windowMs'],
    ['5', 'rateLimit must be an object'],
  ])('does not start with %s', (options, message) => {
    const build = () => rateLimit(JSON.parse(options))
    expect(build).toThrow(ConfigError)
    expect(build).toThrow(message)
  })
})

/** This many new clients, without the cost of their sockets. */
async function flood(layer: RequestHandler, clients: number): Promise<void> {
  const { app } = guarded([])
  const res = Object.create(app.response, { setHeader: { value: () => res } })
  for (let client = 0; client < clients; client++) {
    const headers = { 'x-api-key': `made-up-${client}` }
    const req = Object.create(app.request, {
      headers: { value: headers },
      ip: { value: '::1' },
      originalUrl: { value: '/' },
    })
    await new Promise<void>((resolve, reject) => {
      layer(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)))
    })
  }
}

it.each([[['rate-limit', 'accounts']], [['accounts', 'rate-limit']], [['jwt', 'rate-limit']]])(
  'counts logins, once each, wherever it is listed: %j',
  async (middlewares) => {
    const data = { users: [{ id: 1, email: 'ada@example.com', password: 'secret-123' }] }
    const { url } = await serve({ data, middlewares, rateLimit: { limit: 2 }, quiet: true })
    const login = async () => {
      const body = JSON.stringify({ email: 'ada@example.com', password: 'wrong' })
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(`${url}/login`, { method: 'POST', headers, body })).status
    }
    expect([await login(), await login(), await login()]).toEqual([401, 401, 429])
  },
)
