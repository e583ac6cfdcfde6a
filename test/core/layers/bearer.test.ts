import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { bearer } from '../../../src/core/layers/bearer.ts'
import { expressVersions, guarded } from '../../support/http/guarded.ts'

describe.each(expressVersions)('bearer in %s', (_, make) => {
  it.each([
    ['no header', undefined, 401, 'AUTH_REQUIRED'],
    ['an empty header', '', 401, 'AUTH_REQUIRED'],
    ['a scheme without a token', 'Bearer', 401, 'AUTH_REQUIRED'],
    ['the token without a scheme', 'mock-bearer-token', 401, 'AUTH_REQUIRED'],
    ['another scheme', 'Basic mock-bearer-token', 401, 'AUTH_REQUIRED'],
    ['the scheme in small letters', 'bearer mock-bearer-token', 401, 'AUTH_REQUIRED'],
    ['a tab after the scheme', 'Bearer\tmock-bearer-token', 401, 'AUTH_REQUIRED'],
    ['another token', 'Bearer something-else', 403, 'AUTH_FORBIDDEN'],
    ['two spaces', 'Bearer  mock-bearer-token', 403, 'AUTH_FORBIDDEN'],
    ['the beginning of the token', 'Bearer mock-bearer', 403, 'AUTH_FORBIDDEN'],
    ['more than the token', 'Bearer mock-bearer-token-2', 403, 'AUTH_FORBIDDEN'],
    ['the token in capitals', 'Bearer MOCK-BEARER-TOKEN', 403, 'AUTH_FORBIDDEN'],
  ])('refuses %s', async (_case, header, status, code) => {
    const { app, reached } = guarded([bearer()], make)
    const call = request(app).get('/products')
    const answer = await (header === undefined ? call : call.set('Authorization', header))

    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['error', 'message', 'code'])
    expect(answer.body.code).toBe(code)
    expect(reached).toEqual([])
  })

  it.each(['get', 'post', 'put', 'patch', 'delete'] as const)(
    'lets the token %s as user 1',
    async (method) => {
      const { app, reached } = guarded([bearer()], make)
      const answer = await request(app)[method]('/products').set('Authorization', 'Bearer mock-bearer-token')

      expect(answer.status).toBe(200)
      expect(reached).toEqual([
        { method: method.toUpperCase(), url: '/products', user: { id: 1, role: 'admin' } },
      ])
    },
  )

  it.each(['/auth/login', '/health', '/health/live'])('asks for no token at %s', async (path) => {
    const { app, reached } = guarded([bearer()], make)
    expect((await request(app).get(path)).status).toBe(200)
    expect(reached).toEqual([{ method: 'GET', url: path, user: undefined }])
  })
})

describe('bearer', () => {
  it('accepts a custom token and public routes', async () => {
    const { app } = guarded([bearer({ token: 'mine', publicRoutes: ['/open'] })])
    expect((await request(app).get('/products').set('Authorization', 'Bearer mine')).status).toBe(200)
    expect(
      (await request(app).get('/products').set('Authorization', 'Bearer mock-bearer-token')).status,
    ).toBe(403)
    expect((await request(app).get('/open')).status).toBe(200)
    expect((await request(app).get('/health')).status).toBe(401)
  })

  it('does not accept a token in the query', async () => {
    const { app, reached } = guarded([bearer()])
    expect((await request(app).get('/products?access_token=mock-bearer-token')).status).toBe(401)
    expect(reached).toEqual([])
  })

  it.each([
    ['{"token":""}', 'bearer.token must be'],
    ['{"token":"a secret"}', 'bearer.token must be'],
    ['{"token":7}', 'bearer.token must be'],
    ['{"tokens":["a"]}', 'bearer.tokens is not an option; the options are: token, publicRoutes'],
    ['{"publicRoutes":["nowhere"]}', 'no "/" at the end), not "nowhere"'],
    ['true', 'bearer must be an object'],
  ])('does not start with %s', (options, message) => {
    const build = () => bearer(JSON.parse(options))
    expect(build).toThrow(ConfigError)
    expect(build).toThrow(message)
    expect(build).not.toThrow(/secret|\n/)
  })
})
