import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { fileOf } from '../../support/folder.ts'
import { asking } from '../../support/http/asking.ts'
import { exchange } from '../../support/http/exchange.ts'
import { ADA, members } from '../../support/http/members.ts'
import { serve } from '../../support/http/serve.ts'
import { eventually } from '../../support/http/watched.ts'

const ROUTES = { '/api/*': '/$1', '/session': '/login', '/v1/*': '/api/$1' }
const CREDENTIALS = { email: ADA.email, password: 'password-of-ada' }
const NEW = { email: 'eve@example.com', password: 'password-of-eve' }

describe('through a rewrite rule', () => {
  it.each(['/api', '/api/auth'])('all of an account works as without it: %s', async (prefix) => {
    const { ask, stored, server } = await members({ routes: ROUTES })
    const eve = await ask('POST', `${prefix}/register`, NEW)
    expect(eve).toMatchObject({ status: 201, body: { user: { email: NEW.email } } })
    const { status, body } = await ask('POST', `${prefix}/login`, NEW)
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${body.accessToken}` }
    expect((await ask('GET', `${prefix}/me`, undefined, headers)).body.email).toBe(NEW.email)
    expect((await fetch(`${server.url}${prefix}/me`, { method: 'HEAD', headers })).status).toBe(200)
    expect((await ask('PATCH', `${prefix}/me`, { name: 'Eve' }, headers)).body.name).toBe('Eve')
    const next = await ask('POST', `${prefix}/refresh`, { refreshToken: body.refreshToken })
    expect(next.status).toBe(200)
    const last = { authorization: `Bearer ${next.body.accessToken}` }
    expect((await ask('POST', `${prefix}/logout`, {}, last)).status).toBe(200)
    expect((await ask('GET', `${prefix}/me`, undefined, last)).status).toBe(401)
    expect(stored().users).toHaveLength(3)
    expect(Object.keys(stored())).toEqual(['users', 'posts'])
  })

  it.each(['/api/signin', '/session', '/api/login/', '/api/login?x=1', '/Api/login', '/login'])(
    'one logs in at %s',
    async (path) => {
      const { ask } = await members({ routes: ROUTES })
      expect(await ask('POST', path, CREDENTIALS)).toMatchObject({ status: 200, body: { user: { id: 1 } } })
    },
  )

  it.each(['/api/./login', '/api/%2e/login', '/api//login', '/api%2Flogin', '/other/login', '/api/Login'])(
    'one does not at %s',
    async (path) => {
      const { server } = await members({ routes: ROUTES })
      const asked = { method: 'POST', path, headers: { 'content-type': 'application/json' } }
      const { status, body } = await exchange(server.port, { ...asked, body: JSON.stringify(CREDENTIALS) })
      expect([401, 404]).toContain(status)
      expect(body).not.toContain('Token"')
    },
  )

  it('a session, the clock and a refusal are those of the request', async () => {
    const { ask, login } = await members({ routes: ROUTES })
    const inside = { 'x-mock-session': 'a' }
    const { body } = await ask('POST', '/api/login', CREDENTIALS, inside)
    const headers = { authorization: `Bearer ${body.accessToken}` }
    expect((await ask('GET', '/api/me', undefined, { ...headers, ...inside })).status).toBe(200)
    expect((await ask('GET', '/api/me', undefined, headers)).status).toBe(401)
    const wrong = await ask('POST', '/api/login', { ...CREDENTIALS, password: 'wrong' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'AUTH_REQUIRED'])
    expect((await ask('GET', '/api/me')).status).toBe(401)
    expect((await ask('GET', '/api/me', undefined, (await login()).headers)).body.id).toBe(1)
  })

  it.each<[string, StartOptions, Record<string, string>, number, string]>([
    ['a key', { middlewares: ['api-key', 'accounts'] }, {}, 401, 'API_KEY_MISSING'],
    [
      'the right page',
      { accounts: { cookies: true } },
      { origin: 'https://evil.example' },
      403,
      'FOREIGN_ORIGIN',
    ],
    [
      'the limit',
      { middlewares: ['rate-limit', 'accounts'], rateLimit: { limit: 1 } },
      {},
      429,
      'RATE_LIMIT_EXCEEDED',
    ],
    ['faults', { faults: { rules: [{ match: { path: '/api/*' }, status: 503 }] } }, {}, 503, 'SIMULATED'],
  ])('guards ask for %s', async (_, options, headers, status, code) => {
    const { ask } = await members({ routes: ROUTES, ...options })
    await ask('GET', '/posts')
    const answer = await ask('POST', '/api/login', CREDENTIALS, headers)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('a guard lets pass what it is told to, as the client sends it', async () => {
    const { ask } = await members({
      routes: ROUTES,
      middlewares: ['api-key', 'accounts'],
      apiKey: { publicRoutes: ['/api/login'] },
    })
    expect((await ask('POST', '/api/login', CREDENTIALS)).status).toBe(200)
    expect((await ask('POST', '/login', CREDENTIALS)).status).toBe(401)
    expect((await ask('GET', '/api/me')).body.code).toBe('API_KEY_MISSING')
  })

  it('rules lead there in front of middleware of one’s own, too', async () => {
    const { ask } = await members({
      routes: ROUTES,
      middlewares: [(_req, _res, next) => next(), 'accounts'],
    })
    expect((await ask('POST', '/api/login', CREDENTIALS)).status).toBe(200)
  })

  it('logins follow rules that change while the server runs', async () => {
    const routes = fileOf('{ "/api/*": "/$1" }', 'routes.json')
    const { ask, login } = await members({ routes, watch: true })
    const { headers } = await login()
    expect((await ask('GET', '/api/me', undefined, headers)).status).toBe(200)
    await writeFile(routes, '{ "/v2/*": "/$1" }')
    await eventually(async () => expect((await ask('GET', '/v2/me', undefined, headers)).status).toBe(200))
    expect((await ask('GET', '/api/me', undefined, headers)).status).toBe(404)
  })

  it('the server itself is still not to be had', async () => {
    const { ask, login } = await members({ routes: ROUTES })
    const { headers } = await login()
    expect((await ask('POST', '/api/__reset', {}, headers)).status).toBe(404)
  })
})

describe('with jwt, through a rewrite rule', () => {
  async function askJwt(options: StartOptions = {}) {
    const data = { users: [ADA], posts: [{ id: 1 }] }
    const { url } = await serve({ data, live: false, middlewares: ['jwt'], routes: ROUTES, ...options })
    return asking(url)
  }

  it.each(['/api/login', '/api/auth/login', '/session', '/login'])('one logs in at %s', async (path) => {
    const ask = await askJwt()
    const { status, body } = await ask('POST', path, CREDENTIALS)
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await ask('POST', '/api/posts', {}, headers)).status).toBe(201)
    expect((await ask('POST', '/api/posts', {})).status).toBe(401)
    expect((await ask('POST', path, { ...CREDENTIALS, password: 'wrong' })).status).toBe(401)
  })

  it.each([[['rate-limit', 'jwt']], [['rate-limit', 'accounts']]])(
    'logins count by address, whatever key a client makes up: %j',
    async (middlewares) => {
      const ask = await askJwt({ middlewares, rateLimit: { limit: 2 } })
      const attempt = async (key: string) =>
        (await ask('POST', '/session', { ...CREDENTIALS, password: 'wrong' }, { 'X-API-KEY': key })).status
      expect([await attempt('one'), await attempt('two'), await attempt('three')]).toEqual([401, 401, 429])
    },
  )

  it('guards come first', async () => {
    const ask = await askJwt({ middlewares: ['api-key', 'jwt'] })
    expect((await ask('POST', '/api/login', CREDENTIALS)).body.code).toBe('API_KEY_MISSING')
  })
})
