import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import type { RequestHandler } from 'express'
import jsonwebtoken from 'jsonwebtoken'
import { afterEach, describe, expect, it } from 'vitest'
import { apiKey } from '../../../src/core/layers/api-key.ts'
import { bearer } from '../../../src/core/layers/bearer.ts'
import { jwt } from '../../../src/core/layers/jwt.ts'
import { rateLimit } from '../../../src/core/layers/rate-limit.ts'
import { expressVersions, guarded } from '../../support/http/guarded.ts'

const READER = 'X-API-KEY: readonly-client-key-001'
const servers = new Set<Server>()

afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  servers.clear()
})

/** Ways to write a URL that some reader takes for a public one, or for one below it. */
const disguises = [
  '/%70ublic/products',
  '/public%2fproducts',
  '/public/%70roducts',
  '/public/products%2f..%2f..%2fcompanies',
  '/public/products%00',
  '/public/products%20',
  '/public/products%3fx',
  '/public/products/%2e%2e/%2e%2e/companies',
  '/public/products/.%2e/companies',
  '/public/products/%252e%252e/companies',
  '/public/products/../../companies',
  '/public/products/..',
  '/public/products/.',
  '/public/products/./1',
  '/public/products/..?x',
  '/public/products/..;/companies',
  '/public/products/..;x=y/companies',
  '/public/products/..%3b/companies',
  '/public/products/.;/companies',
  '/public/products/%2E%2E/companies',
  '/public/products/%2e/companies',
  '/public/products/a%2fb',
  '/public/products/a%2Fb',
  '/public/products/..%5c..%5ccompanies',
  '/public/products/a%5Cb',
  '/public/products/a\\b',
  '/public/products/a%00',
  '/public/products/a%0d%0ab',
  '/public/products/a%1Fb',
  '/public/products/a%7fb',
  '/public/products/a%25b',
  '/public/products/%c0%ae%c0%ae/companies',
  '/public/products/%C1%9c',
  '/public/products/a%',
  '/public/products/a%2',
  '/public/products/a%zz',
  '/public/products/a%u002e',
  '/public/products/a b',
  '/public/products/a|b',
  '/public/products/a"b',
  '/public/products/<a>',
  '/public/products/a%20b/../companies',
  '/public/products/a%20b//companies',
  '/public/products;a=b',
  '/public/products%40',
  '/public/products@x',
  '/public/products+x',
  '/public/products;/../companies',
  '/public/products\\..\\..\\companies',
  '/public\\products',
  '/public/products#/companies',
  '/public/products?x#/companies',
  '/public/productsX',
  '/public/products-2',
  '/public/products.json',
  '/public/products//companies',
  '/public/products/../users',
  '/public/products/1/users/..',
  '/public/products/1/../../users',
  '/public/products/1//users',
  '/public/products/1%2Fusers',
  '/public/products/1%5Cusers',
  '/public/products/1/users%2F..',
  '/public/products/1/users#',
  '/public/products//',
  '/public//products',
  '//public/products',
  '///public/products',
  '//health',
  '//health/products',
  '/./health',
  '/x/../health',
  '/health/../products',
  '/health/..',
  '/health%2f..%2fproducts',
  '/health;x',
  '/health#',
  '/health%',
  '/health%0d%0aX-API-KEY:%20web-client-key-001',
  '/healthX',
  '/HEALTH',
  '/Health',
  '/Public/Products',
  '/heálth',
  '/health/\u00e9',
  '/products',
  '/products/health',
  '/products?/health',
  '/products?path=/health',
  '/products#/health',
  '/products/../health',
  '/api/v1/health',
  '/auth',
  '/auth/',
  '/auth/logins',
  '/auth/login/../../products',
  '/auth//login',
  '/AUTH/login',
  '/',
  '/?/health',
  '*',
  'http://localhost/health',
  'http://localhost/public/products',
  'http:///health',
  'http://health/products',
  'https://localhost/health',
  'HTTP://LOCALHOST/health',
  'http://user@health/products',
  'localhost/health',
]

/** Headers that some server or proxy takes for the real path or client. */
const whispers = [
  'X-Original-URL: /health',
  'X-Rewrite-URL: /health',
  'X-Forwarded-Path: /health',
  'X-Forwarded-Uri: /health',
  'X-Forwarded-Prefix: /health',
  'X-Forwarded-For: 127.0.0.1',
  'Forwarded: for=127.0.0.1',
  'Referer: http://localhost/health',
  'X-HTTP-Method-Override: OPTIONS',
  'Origin: http://localhost\r\nAccess-Control-Request-Method: GET',
]

describe.each(expressVersions)('in %s', (_, make) => {
  const guard = (layer: RequestHandler) => guarded([layer], make)

  describe.each([
    ['apiKey', () => apiKey(), 401, 'API_KEY_MISSING'],
    ['bearer', () => bearer(), 401, 'AUTH_REQUIRED'],
  ] as const)('%s', (name, layer, status, code) => {
    it.each(disguises)('is not fooled by %s', async (target) => {
      const { app, reached } = guard(layer())
      const answer = await ask(app, `GET ${target} HTTP/1.1`)
      // What Node itself turns away never gets as far as a guard.
      expect([status, 400]).toContain(answer.status)
      if (answer.status === status) expect(answer.code).toBe(code)
      expect(reached).toEqual([])
    })

    it.each(whispers)('does not listen to %j', async (header) => {
      const { app, reached } = guard(layer())
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        expect(await ask(app, `${method} /products HTTP/1.1`, header)).toMatchObject({ status, code })
      }
      expect(reached).toEqual([])
    })

    it.each([
      '/health',
      '/health/',
      '/health?',
      '/health?a=/../b',
      '/health/1/products',
      '/auth/login',
      '/auth/login/x',
      '/health/a%20b',
      '/health/a+b',
      '/health/a@b',
      "/health/!$&'()*,;=:~-._",
      '/health/caf%C3%A9/%e2%82%ac',
      '/health/50%3f%23',
      '/health/a..b/..c/...',
      '/health/a%20b/',
    ])('lets everyone access %s', async (target) => {
      const { app, reached } = guard(layer())
      expect((await ask(app, `GET ${target} HTTP/1.1`)).status).toBe(200)
      expect(reached).toEqual([{ method: 'GET', url: target, user: undefined }])
    })

    it('judges the whole URL when it is mounted below a prefix', async () => {
      const app = make()
      const reached: string[] = []
      app.use('/products', layer(), (req, res) => {
        reached.push(req.originalUrl)
        res.json({})
      })
      expect((await ask(app, 'GET /products/health HTTP/1.1')).status, name).toBe(status)
      expect((await ask(app, 'GET /products//health HTTP/1.1')).status, name).toBe(status)
      expect(reached).toEqual([])
    })
  })

  describe('a key that may only read', () => {
    it.each([
      ['POST', ''],
      ['POST', 'X-HTTP-Method-Override: GET'],
      ['POST', 'X-HTTP-Method-Override: HEAD'],
      ['POST', 'X-HTTP-Method-Override: DELETE'],
      ['POST', 'X-HTTP-Method-Override: get, DELETE'],
      ['POST', 'X-HTTP-Method-Override: GET\r\nX-HTTP-Method-Override: DELETE'],
      ['GET', 'X-HTTP-Method-Override: DELETE'],
      ['GET', 'x-http-method-override: delete'],
      ['GET', 'X-HTTP-Method-Override: GET, PUT'],
      ['HEAD', 'X-HTTP-Method-Override: PATCH'],
      ['OPTIONS', 'X-HTTP-Method-Override: POST'],
      ['PUT', 'X-HTTP-Method-Override: GET'],
      ['DELETE', ''],
      ['PROPFIND', ''],
      ['PURGE', ''],
      ['TRACE', ''],
    ])('cannot %s with "%s"', async (method, header) => {
      const { app, reached } = guard(apiKey())
      const answer = await ask(app, `${method} /products/1 HTTP/1.1`, READER, header)
      expect(answer.status).toBe(403)
      if (method !== 'HEAD') expect(answer.code).toBe('FORBIDDEN_WRITE')
      expect(reached).toEqual([])
    })

    it('cannot write after an override was already applied', async () => {
      const override: RequestHandler = (req, _res, next) => {
        Object.assign(req, { originalMethod: req.method, method: 'GET' })
        next()
      }
      const { app, reached } = guarded([override, apiKey()], make)
      expect((await ask(app, 'POST /products HTTP/1.1', READER)).code).toBe('FORBIDDEN_WRITE')
      expect(reached).toEqual([])
    })

    it.each(['', 'X-HTTP-Method-Override:', 'X-HTTP-Method-Override: head'])(
      'reads with "%s"',
      async (header) => {
        const { app } = guard(apiKey())
        expect((await ask(app, 'GET /products HTTP/1.1', READER, header)).status).toBe(200)
      },
    )

    it.each([
      ['twice', [READER, READER]],
      ['beside another', ['X-API-KEY: unknown-key-001', READER]],
      ['after a comma', ['X-API-KEY: , readonly-client-key-001']],
    ])('does not pass when it is sent %s', async (_case, headers) => {
      const { app, reached } = guard(apiKey())
      expect(await ask(app, 'GET /products HTTP/1.1', ...headers)).toMatchObject({
        status: 400,
        code: 'API_KEY_MALFORMED',
      })
      expect(reached).toEqual([])
    })
  })

  describe('jwt', () => {
    const secret = 'a secret of these tests'
    const layer = () => jwt({ secret, log: () => {} })

    it.each([
      ...disguises.map((target) => `POST ${target}`),
      'POST /Login',
      'POST /LOGIN',
      'POST //login',
      'POST /login//',
      'POST /login/1',
      'POST /login/..',
      'POST /login/../products',
      'POST /login%2f..%2fproducts',
      'POST /%6cogin',
      'POST /login;x',
      'POST /login#',
      'POST /products/login',
      'POST /health',
      'POST http://localhost/login',
      'PUT /login',
      'PATCH /auth/login',
      'DELETE /login',
    ])('does not let %s write', async (line) => {
      const { app, reached } = guard(layer())
      const answer = await ask(app, `${line} HTTP/1.1`)
      expect([400, 401]).toContain(answer.status)
      if (answer.status === 401) expect(answer.code).toBe('AUTH_REQUIRED')
      expect(reached).toEqual([])
    })

    it.each([
      ['POST', 'X-HTTP-Method-Override: GET'],
      ['POST', 'X-HTTP-Method-Override: OPTIONS'],
      ['GET', 'X-HTTP-Method-Override: DELETE'],
      ['GET', 'X-HTTP-Method-Override: GET, DELETE'],
      ['OPTIONS', 'X-HTTP-Method-Override: PUT'],
      ['PROPFIND', ''],
    ])('does not let %s with "%s" write', async (method, header) => {
      const { app, reached } = guard(layer())
      expect(await ask(app, `${method} /products/1 HTTP/1.1`, header)).toMatchObject({
        status: 401,
        code: 'AUTH_REQUIRED',
      })
      expect(reached).toEqual([])
    })

    it('takes the first of two tokens, as Node does, and refuses it if it is forged', async () => {
      const good = `Authorization: Bearer ${jsonwebtoken.sign({ sub: '1' }, secret)}`
      const forged = `Authorization: Bearer ${jsonwebtoken.sign({ sub: '1' }, 'guess')}`
      const { app, reached } = guard(layer())
      expect((await ask(app, 'POST /products HTTP/1.1', forged, good)).code).toBe('AUTH_FORBIDDEN')
      expect(reached).toEqual([])
    })

    it('never passes on a login, whatever method it claims to be', async () => {
      const { app, reached } = guard(layer())
      const answer = await ask(app, 'POST /login HTTP/1.1', 'X-HTTP-Method-Override: DELETE')
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_BODY' })
      expect(reached).toEqual([])
    })
  })

  describe('rateLimit', () => {
    it('counts one client however it writes its requests', async () => {
      const { app, reached } = guard(rateLimit({ limit: 1 }))
      const port = await listen(app)
      expect((await askPort(port, 'GET /products HTTP/1.1')).status).toBe(200)
      const lines = [
        ...disguises.map((target) => [`GET ${target} HTTP/1.1`]),
        ...whispers.map((header) => ['GET /products HTTP/1.1', header]),
        ['GET /products HTTP/1.1', 'X-Forwarded-For: 10.0.0.1'],
        ['GET /products HTTP/1.1', 'X-API-KEY:'],
        ['GET /products HTTP/1.1', 'Authorization: Bearer'],
        ['OPTIONS /products HTTP/1.1'],
        ['DELETE /health HTTP/1.1'],
      ]
      for (const [line = '', ...headers] of lines) {
        const answer = await askPort(port, line, ...headers)
        expect([429, 400], line).toContain(answer.status)
        if (answer.status === 429) expect(answer.code).toBe('RATE_LIMIT_EXCEEDED')
      }
      expect(reached).toHaveLength(1)
    })
  })
})

interface Answer {
  readonly status: number
  readonly code: unknown
}

type App = Parameters<typeof createServer>[1]

async function ask(app: App, line: string, ...headers: readonly string[]): Promise<Answer> {
  return askPort(await listen(app), line, ...headers)
}

async function listen(app: App): Promise<number> {
  const server = createServer(app)
  servers.add(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Sends the request line as it stands: no client library gets to tidy it up. */
async function askPort(port: number, line: string, ...headers: readonly string[]): Promise<Answer> {
  const socket = connect(port, '127.0.0.1')
  const lines = [line, 'Host: localhost', 'Connection: close', ...headers.filter(Boolean), '', '']
  socket.write(lines.join('\r\n'))
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  const json: unknown = body.startsWith('{') ? JSON.parse(body) : {}
  return { status: Number(text.split(' ')[1]), code: Reflect.get(Object(json), 'code') }
}
