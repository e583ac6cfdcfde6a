import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { apiKey } from '../../../src/core/layers/api-key.ts'
import { catchConsole } from '../../support/console.ts'
import { expressVersions, guarded } from '../../support/http/guarded.ts'

const quiet = () => {}
const WRITER = 'web-client-key-001'
const READER = 'readonly-client-key-001'

describe.each(expressVersions)('apiKey in %s', (_, make) => {
  it.each([
    ['no key', undefined, 401, 'API_KEY_MISSING'],
    ['an empty key', '', 400, 'API_KEY_MALFORMED'],
    ['a key of 9 characters', 'abcdefghi', 400, 'API_KEY_MALFORMED'],
    ['a key of 51 characters', 'a'.repeat(51), 400, 'API_KEY_MALFORMED'],
    ['a key with an underscore', 'web_client_key_001', 400, 'API_KEY_MALFORMED'],
    ['a key with a known one in front', `${WRITER} x`, 400, 'API_KEY_MALFORMED'],
    ['a key of 10 characters that nobody has', 'abcdefghij', 403, 'API_KEY_INVALID'],
    ['a key of 50 characters that nobody has', 'a'.repeat(50), 403, 'API_KEY_INVALID'],
    ['a known key in capitals', WRITER.toUpperCase(), 403, 'API_KEY_INVALID'],
    ['the name of an inherited property', 'hasOwnProperty', 403, 'API_KEY_INVALID'],
  ])('refuses %s', async (_case, key, status, code) => {
    const { app, reached } = guarded([apiKey({ log: quiet })], make)
    const call = request(app).get('/products')
    const answer = await (key === undefined ? call : call.set('x-api-key', key))

    expect(answer.status).toBe(status)
    const fields = ['error', 'message', 'code', ...(status === 401 ? ['timestamp'] : [])]
    expect(Object.keys(answer.body)).toEqual(fields)
    expect(answer.body.code).toBe(code)
    if (status === 401) expect(new Date(answer.body.timestamp).toISOString()).toBe(answer.body.timestamp)
    expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(answer.headers).not.toHaveProperty('x-authenticated-client')
    expect(reached).toEqual([])
  })

  it.each([
    ['csharp-client-key-001', 'dotnet-client'],
    ['web-client-key-001', 'generic'],
    ['readonly-client-key-001', 'generic'],
  ])('lets %s read as %s', async (key, client) => {
    const { app, reached } = guarded([apiKey()], make)
    const answer = await request(app).get('/products').set('X-Api-Key', key)

    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-authenticated-client': client,
    })
    expect(reached).toHaveLength(1)
  })

  it.each(['post', 'put', 'patch', 'delete'] as const)(
    'lets only a key that may write %s',
    async (method) => {
      const { app, reached } = guarded([apiKey()], make)

      const refused = await request(app)[method]('/products/1').set('X-API-KEY', READER)
      expect(refused.status).toBe(403)
      expect(Object.keys(refused.body)).toEqual(['error', 'message', 'code'])
      expect(refused.body.code).toBe('FORBIDDEN_WRITE')
      expect(reached).toEqual([])

      const allowed = await request(app)[method]('/products/1').set('X-API-KEY', WRITER)
      expect(allowed.status).toBe(200)
      expect(reached).toHaveLength(1)
    },
  )

  it.each(['get', 'head', 'options'] as const)('lets only a key that may read %s', async (method) => {
    const { app, reached } = guarded(
      [apiKey({ keys: { 'only-writes-001': ['write'], [READER]: ['read'] } })],
      make,
    )

    const refused = await request(app)[method]('/products').set('X-API-KEY', 'only-writes-001')
    expect(refused.status).toBe(403)
    if (method !== 'head') {
      expect(refused.body).toMatchObject({ error: 'Insufficient permissions', code: 'AUTH_FORBIDDEN' })
    }
    expect(reached).toEqual([])

    expect((await request(app)[method]('/products').set('X-API-KEY', READER)).status).toBe(200)
  })

  it.each([
    '/health',
    '/auth/login',
    '/public/products',
    '/public/products/1',
    '/public/products?q=a',
    '/health/',
  ])('requires no key at %s', async (path) => {
    const { app, reached } = guarded([apiKey()], make)
    const answer = await request(app).get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('x-authenticated-client')
    expect(reached).toHaveLength(1)
  })
})

describe('apiKey', () => {
  it('responds like the rest of the API: pretty JSON that caches leave alone', async () => {
    const { app } = guarded([apiKey()])
    const answer = await request(app).get('/products')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
      expires: '-1',
    })
    expect(answer.text).toBe(JSON.stringify(answer.body, null, 2))
  })

  it('logs the first five characters of an unknown key and no more', async () => {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const { app } = guarded([apiKey({ log })])
    await request(app).get('/products').set('X-API-KEY', 'guess-of-mine-1')
    await request(app).get('/products').set('X-API-KEY', 'not valid at all')
    await request(app).get('/products').set('X-API-KEY', WRITER)

    expect(lines).toEqual(['api-key: refused an unknown key that starts with guess'])
  })

  it('logs to the console unless told otherwise', async () => {
    const written = catchConsole('warn')
    await request(guarded([apiKey()]).app)
      .get('/products')
      .set('X-API-KEY', 'guess-of-mine-1')
    expect(written).toHaveLength(1)
  })

  it('drops the default keys and routes when given others', async () => {
    const { app } = guarded([apiKey({ keys: { 'my-own-key-1': ['read'] }, publicRoutes: ['/'], log: quiet })])
    expect((await request(app).get('/products').set('X-API-KEY', WRITER)).status).toBe(403)
    expect((await request(app).get('/products').set('X-API-KEY', 'my-own-key-1')).status).toBe(200)
    expect((await request(app).get('/health')).status).toBe(401)
    expect((await request(app).get('/')).status).toBe(200)
  })

  it('leaves the numbers of a rate limit in front of it', async () => {
    const { app } = guarded([
      (_req, res, next) => {
        res.set({ 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '3' })
        next()
      },
      apiKey(),
    ])
    const answer = await request(app).get('/products').set('X-API-KEY', WRITER)
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '3' })
  })

  it.each([
    ['"text"', 'apiKey must be an object'],
    ['null', 'apiKey must be an object'],
    ['[]', 'apiKey must be an object with any of: keys, publicRoutes'],
    ['{"key":"web-client-key-001"}', 'apiKey.key is not an option; the options are: keys, publicRoutes, log'],
    ['{"keys":[]}', 'apiKey.keys must be an object'],
    [
      '{"keys":{}}',
      'it is empty, so no key would pass. Add one, such as {"my-client-key-001":["read","write"]}',
    ],
    [
      '{"keys":{"web-client-key-001":["read"],"secret":["read"]}}',
      'apiKey.keys: key 2 must be made of 10 to 50',
    ],
    [
      '{"keys":{"web-client-key-001":"read"}}',
      'apiKey.keys: the permissions of key 1 must be a list of permissions, "read" and "write"',
    ],
    [
      '{"keys":{"web-client-key-001":["read"],"web-client-key-002":["admin"]}}',
      'apiKey.keys: the permissions of key 2 must be "read" or "write"',
    ],
    [
      '{"publicRoutes":"/health"}',
      'apiKey.publicRoutes must be a list of paths such as "/health", not "/health"',
    ],
    ['{"publicRoutes":["/health","health"]}', 'apiKey.publicRoutes: entry 2 must be a plain path'],
    ['{"publicRoutes":["/health/"]}', 'no "/" at the end), not "/health/"'],
    ['{"publicRoutes":["/public/*"]}', 'no "/" at the end), not "/public/*"'],
    ['{"publicRoutes":["/a/../b"]}', 'no "/" at the end), not "/a/../b"'],
    ['{"publicRoutes":[""]}', 'no "/" at the end), not ""'],
    ['{"publicRoutes":[7]}', 'no "/" at the end), not 7'],
    ['{"log":true}', 'apiKey.log must be a function that takes one line'],
    ['{"toString":1}', 'apiKey.toString is not an option'],
  ])('does not start with %s', (options, message) => {
    const build = () => apiKey(JSON.parse(options))
    expect(build).toThrow(ConfigError)
    expect(build).toThrow(message)
    expect(build).not.toThrow(/secret|\n/)
  })

  it('has a name in stack traces', () => {
    expect(apiKey().name).toBe('apiKey')
  })
})
