import { expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { asking } from '../../support/http/asking.ts'
import { ADA, MEMBERS, members } from '../../support/http/members.ts'
import { serve } from '../../support/http/serve.ts'

const READ_ONLY = { readOnly: true, routes: { '/api/*': '/$1' } }
const CREDENTIALS = { email: ADA.email, password: 'password-of-ada' }
const NEW = { email: 'eve@example.com', password: 'password-of-eve' }

it.each([
  ['/login', '/refresh', '/logout', {}],
  ['/signin', '/refresh-token', '/auth/logout', {}],
  ['/auth/login', '/auth/refresh', '/logout', {}],
  ['/api/login', '/api/refresh', '/api/logout', {}],
  ['/login', '/refresh', '/logout', { 'x-mock-session': 'a' }],
])(
  'one logs in, refreshes and logs out where nothing can be changed: %s',
  async (login, refresh, logout, more) => {
    const { ask, stored } = await members(READ_ONLY)
    const { status, body } = await ask('POST', login, CREDENTIALS, { ...more })
    expect(status).toBe(200)
    const next = await ask('POST', refresh, { refreshToken: body.refreshToken }, { ...more })
    expect(next.status).toBe(200)
    const headers = { ...more, authorization: `Bearer ${next.body.accessToken}` }
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(200)
    expect((await ask('POST', logout, {}, headers)).status).toBe(200)
    expect((await ask('GET', '/me', undefined, headers)).status).toBe(401)
    expect(stored()).toEqual(MEMBERS)
  },
)

it.each<[string, string, unknown, Record<string, string>?]>([
  ['POST', '/register', NEW],
  ['POST', '/auth/register', NEW],
  ['POST', '/api/signup', NEW],
  ['PATCH', '/me', { name: 'Ada' }],
  ['PATCH', '/api/me', { name: 'Ada' }],
  ['POST', '/posts', {}],
  ['PUT', '/login', {}],
  ['DELETE', '/login', undefined],
  ['POST', '/login/1', {}],
  ['POST', '/login/../posts', {}],
  ['POST', '/login', { title: 'x' }, { 'x-http-method-override': 'PATCH' }],
  ['POST', '/__reset', {}],
  ['POST', '/__reset', {}, { 'x-mock-session': 'a' }],
])('nothing else is let through: %s %s', async (method, path, body, more) => {
  const { ask, login, stored } = await members(READ_ONLY)
  const { headers } = await login()
  const answer = await ask(method, path, body, { ...(more?.['x-mock-session'] ? {} : headers), ...more })
  expect([answer.status, answer.body.code]).toEqual([403, 'READ_ONLY'])
  expect(stored()).toEqual(MEMBERS)
})

const DATA = { users: [ADA], login: [{ id: 1 }], posts: [{ id: 1 }] }

async function askReadOnly(options: StartOptions) {
  const { url } = await serve({ data: structuredClone(DATA), readOnly: true, ...options })
  return asking(url)
}

it('one logs in with jwt', async () => {
  const ask = await askReadOnly({ middlewares: ['jwt'], routes: { '/api/*': '/$1' } })
  for (const path of ['/login', '/auth/login', '/api/login']) {
    expect((await ask('POST', path, CREDENTIALS)).status).toBe(200)
  }
  expect((await ask('POST', '/refresh', {})).body.code).toBe('READ_ONLY')
  expect((await ask('POST', '/posts', {})).body.code).toBe('READ_ONLY')
})

it.each([{}, { middlewares: ['bearer'] }])(
  'without a layer that logs in, it is a write: %j',
  async (options) => {
    const ask = await askReadOnly(options)
    expect((await ask('POST', '/login', CREDENTIALS)).body.code).toBe('READ_ONLY')
    expect((await ask('GET', '/db', undefined, { authorization: 'Bearer mock-bearer-token' })).body).toEqual(
      DATA,
    )
  },
)

it('a middleware that makes another request of it changes nothing', async () => {
  const ask = await askReadOnly({
    middlewares: [
      (req, _res, next) => {
        if (req.query._method) req.method = String(req.query._method)
        next()
      },
      'accounts',
    ],
  })
  const { body } = await ask('POST', '/login', CREDENTIALS)
  const headers = { authorization: `Bearer ${body.accessToken}` }
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const answer = await ask('POST', `/login?_method=${method}&id=1`, { name: 'x' }, headers)
    expect([answer.status, answer.body.code]).toEqual([403, 'READ_ONLY'])
  }
  expect((await ask('GET', '/login')).body).toEqual(DATA.login)
})
