import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { allowedHosts, allowedOrigins } from '../../../src/core/layers/origin-checks.ts'
import { resolveConfig } from '../../../src/features/settings.ts'
import { ConfigError, create, defaults, router, type StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { exchange } from '../../support/http/exchange.ts'
import { serve } from '../../support/http/serve.ts'
import { serving } from '../../support/http/serving.ts'

let folder = ''
beforeAll(() => {
  folder = folderOf({ 'file.txt': 'static' })
})

async function serveProducts(options: StartOptions = {}) {
  return serve({ data: { products: [{ id: 1, name: 'Desk' }] }, ...options })
}

interface Heard {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends the lines as they are, so that no client tidies them up. */
async function raw(socket: Socket, ...lines: readonly string[]): Promise<Heard> {
  socket.write([...lines, '', ''].join('\r\n'))
  const heard = await text(socket)
  const end = heard.indexOf('\r\n\r\n')
  return {
    status: Number(heard.split(' ')[1]),
    head: heard.slice(0, end).toLowerCase(),
    body: heard.slice(end + 4),
  }
}

function ask(port: number, host: string, ...more: readonly string[]): Promise<Heard> {
  return raw(
    connect(port, '127.0.0.1'),
    'GET /products HTTP/1.1',
    `Host: ${host}`,
    'Connection: close',
    ...more,
  )
}

/** All kinds of answers there are. */
const ANSWERS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/'],
  ['GET', '/__page'],
  ['GET', '/products'],
  ['GET', '/products/1'],
  ['GET', '/products/9'],
  ['HEAD', '/products'],
  ['GET', '/db'],
  ['GET', '/nothing'],
  ['GET', '/file.txt'],
  ['GET', '/__service'],
  ['GET', '/__rules'],
  ['GET', '/health-check'],
  ['GET', '/products/%zz'],
  ['POST', '/products', '{"name":"x"}'],
  ['POST', '/products', '{'],
  ['DELETE', '/products/9'],
  ['OPTIONS', '/products'],
]

describe('allowedHosts', () => {
  it.each([
    ...[
      'localhost',
      'localhost:3000',
      'LOCALHOST',
      'localhost.',
      'shop.localhost:81',
      '127.0.0.1',
      '127.0.0.1:3000',
    ],
    ...[
      '192.168.1.20:3000',
      '[::1]',
      '[::1]:3000',
      '[FE80::1]:80',
      'app.test',
      'APP.test:3000',
      'app.test.',
      'localhost:',
    ],
    ...['example.com', 'a.example.com', 'a.b.example.com:8080', 'named.test'],
  ])('lets a request to %s pass', async (host) => {
    const { port } = await serveProducts({ allowedHosts: ['app.test', '.example.com', 'Named.Test'] })
    expect((await ask(port, host)).status).toBe(200)
  })

  it.each([
    ...[
      'evil.test',
      'evil.test:3000',
      'app.test.evil.test',
      'xapp.test',
      'xexample.com',
      'example.com.evil.test',
    ],
    ...[
      'localhost.evil.test',
      'xlocalhost',
      '127.0.0.1.evil.test',
      'localhost@evil.test',
      'evil.test#localhost',
      '',
    ],
    ...[
      'localhost, evil.test',
      'localhost:3000:1',
      '[::1',
      '::1',
      '[evil]',
      '.example.com',
      'a..example.com',
      'app.test..',
    ],
    ...['localhost/', 'http://localhost', '127.1', '0x7f000001', '%6cocalhost', 'localhost\tx'],
  ])('turns a request to %j away', async (host) => {
    const { port } = await serveProducts({ allowedHosts: ['app.test', '.example.com'] })
    const { status, body, head } = await ask(port, host)
    expect(status).toBe(403)
    expect(JSON.parse(body)).toEqual({
      error: 'Forbidden',
      message: expect.any(String),
      code: 'HOST_NOT_ALLOWED',
    })
    expect(head).not.toContain('access-control-')
  })

  it.each([
    ['GET http://evil.test/products HTTP/1.1', 'Host: localhost', 403],
    ['GET http://localhost/products HTTP/1.1', 'Host: evil.test', 403],
    ['GET http://user@localhost/products HTTP/1.1', 'Host: localhost', 403],
    ['GET HTTP://LOCALHOST:1/products HTTP/1.1', 'Host: localhost', 200],
    ['GET /products HTTP/1.0', 'X: no host', 403],
    ['GET /products HTTP/1.0', 'Host: localhost', 200],
    ['GET /products HTTP/1.1', 'Host: localhost\r\nX-Forwarded-Host: evil.test', 200],
    ['GET /products HTTP/1.1', 'Host: evil.test\r\nX-Forwarded-Host: localhost', 403],
    ['GET /products HTTP/1.1', 'Host: evil.test\r\nOrigin: http://evil.test', 403],
  ])('answers %s with %s: %i', async (line, header, status) => {
    const { port } = await serveProducts({ allowedHosts: [] })
    expect((await raw(connect(port, '127.0.0.1'), line, header, 'Connection: close')).status).toBe(status)
  })

  it.each([['allowedHosts'], ['allowedOrigins']])(
    'guards every kind of answer, with %s alone',
    async (key) => {
      const { port, url } = await serveProducts({ [key]: [], static: folder })
      for (const [method, path, body] of [
        ...ANSWERS,
        ['GET', '/__events'],
        ['GET', '/__dashboard/x.js'],
      ] as const) {
        const headers = { host: 'evil.test' }
        const answer = await exchange(port, { method, path, headers, ...(body !== undefined && { body }) })
        expect(answer.status, `${method} ${path}`).toBe(403)
        if (method !== 'HEAD') expect(JSON.parse(answer.body).code).toBe('HOST_NOT_ALLOWED')
      }
      expect((await fetch(`${url}/file.txt`)).status).toBe(200)
      expect((await fetch(`${url}/`)).status).toBeLessThan(500)
    },
  )

  it('accepts the name that it listens on', async () => {
    const { port } = await serveProducts({ allowedHosts: [], host: 'localhost' })
    expect((await ask(port, 'localhost')).status).toBe(200)
    expect((await ask(port, 'evil.test')).status).toBe(403)
  })

  it('guards cached responses, and HTTPS', async () => {
    const source = join(folder, 'db.json')
    await writeFile(source, '{"products":[{"id":1}]}')
    const plain = await serveProducts({ source, static: join(folder, 'none'), allowedHosts: [] })
    for (const host of ['localhost', 'localhost', 'evil.test', 'localhost', 'evil.test']) {
      expect((await ask(plain.port, host)).status).toBe(host === 'localhost' ? 200 : 403)
    }
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    const { port } = await serveProducts({ https: true, allowedHosts: [] }).finally(() =>
      vi.restoreAllMocks(),
    )
    for (const [host, status] of [
      ['localhost', 200],
      ['evil.test', 403],
    ] as const) {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        servername: 'localhost',
        rejectUnauthorized: false,
      })
      expect((await raw(socket, 'GET /products HTTP/1.1', `Host: ${host}`, 'Connection: close')).status).toBe(
        status,
      )
    }
  })

  it.each([{}, { middlewares: ['logger'] }])('is in the log: %j', async (options) => {
    vi.stubEnv('NODE_ENV', 'development')
    const lines: string[] = []
    const { port } = await serveProducts({
      ...options,
      allowedHosts: [],
      allowedOrigins: [],
      print: (line) => lines.push(line),
    })
    vi.unstubAllEnvs()
    await exchange(port, { method: 'GET', path: '/products', headers: { host: 'evil.test' } })
    await vi.waitFor(() => expect(lines.join('\n')).toMatch(/GET \/products \S*403/))
  })
})

describe('allowedOrigins', () => {
  const LISTED = [
    'http://localhost:5173',
    'https://*.example.com',
    'http://127.0.0.1:*',
    'capacitor://app',
    'https://full.test:443',
  ]
  const PREFLIGHT = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-api-key' }

  it.each([
    ...['http://localhost:5173', 'https://a.example.com', 'https://a.b.example.com', 'http://127.0.0.1:1234'],
    ...['http://127.0.0.1', 'capacitor://app', 'https://full.test', 'HTTP://LOCALHOST:5173'],
  ])('lets pages of %s in, and lets them read', async (origin) => {
    const { port } = await serveProducts({ allowedOrigins: LISTED })
    const answer = await exchange(port, { method: 'GET', path: '/products', headers: { origin } })
    expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } })
    const preflight = await exchange(port, {
      method: 'OPTIONS',
      path: '/products',
      headers: { origin, ...PREFLIGHT },
    })
    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': origin } })
  })

  it.each([
    ...[
      'http://evil.test',
      'null',
      '',
      'http://localhost',
      'http://localhost:51730',
      'https://localhost:5173',
    ],
    ...[
      'https://example.com',
      'http://a.example.com',
      'https://aexample.com',
      'https://a.example.com.evil.test',
    ],
    ...[
      'https://evil.test/.example.com',
      'http://localhost:5173, http://evil.test',
      'http://127.0.0.1:x',
      'file://',
    ],
  ])('turns pages of %j away, without a header that lets them read the response', async (origin) => {
    const { port } = await serveProducts({ allowedOrigins: LISTED })
    for (const [method, path, body] of [
      ...ANSWERS,
      ['OPTIONS', '/products'],
      ['GET', '/__events'],
    ] as const) {
      const headers = { origin, ...(method === 'OPTIONS' && PREFLIGHT) }
      const answer = await exchange(port, { method, path, headers, ...(body !== undefined && { body }) })
      expect(answer.status, `${method} ${path}`).toBe(403)
      if (method !== 'HEAD') expect(JSON.parse(answer.body).code).toBe('ORIGIN_NOT_ALLOWED')
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it.each([{ middlewares: ['cors'] }, { noCors: true }, {}])('turns them away with %j', async (options) => {
    const { port } = await serveProducts({ ...options, allowedOrigins: LISTED })
    const headers = { origin: 'http://evil.test' }
    const answer = await exchange(port, { method: 'GET', path: '/products', headers })
    expect(answer.status).toBe(403)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('accepts its own pages, and requests without an origin', async () => {
    const { port, url } = await serveProducts({ allowedOrigins: [] })
    const own = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)
    for (const host of own) {
      const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' }
      expect((await exchange(port, { method: 'POST', path: '/products', headers, body: '{}' })).status).toBe(
        201,
      )
    }
    const mixed = { host: `localhost:${port}`, origin: `http://127.0.0.1:${port}` }
    expect((await exchange(port, { method: 'GET', path: '/products', headers: mixed })).status).toBe(403)
    expect((await fetch(`${url}/products`)).status).toBe(200)
  })

  it('does not let scripts of other pages embed what they request without an origin', async () => {
    const { port } = await serveProducts({ allowedOrigins: LISTED })
    const answer = await exchange(port, { method: 'GET', path: '/db?callback=steal' })
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(answer.body).not.toContain('steal')
  })
})

describe('no-cors', () => {
  it.each(ANSWERS.map(([method, path, body]) => ({ method, path, body })))(
    'keeps the answer to $method $path from pages of other origins',
    async ({ method, path, body }) => {
      const { port } = await serveProducts({ noCors: true, static: folder })
      const asked: Record<string, string>[] = [{}, { origin: 'http://evil.test' }]
      for (const headers of asked) {
        const answer = await exchange(port, { method, path, headers, ...(body !== undefined && { body }) })
        expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      }
    },
  )

  it.each([
    ['what a guard refuses', { middlewares: ['api-key'] }, '/products'],
    ['what is read only', { readOnly: true }, '/products?callback=a'],
    ['the hosted mock', { hosted: { variant: 'public' as const } }, '/products'],
    ['what is sent again', { static: 'none' }, '/products?_limit=1'],
  ])('covers %s', async (_, options, path) => {
    const { port } = await serveProducts({ noCors: true, ...options })
    for (const _time of [1, 2]) {
      const answer = await exchange(port, { method: 'GET', path })
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })

  it('covers /__events', async () => {
    const { url } = await serveProducts({ noCors: true })
    const stop = new AbortController()
    const { headers } = await fetch(`${url}/__events`, { signal: stop.signal })
    stop.abort()
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  const JSONP = [
    '/db?callback=steal',
    '/products?callback=steal',
    '/products/1?callback[]=steal',
    '/nothing?%63allback=steal',
  ]

  it.each(JSONP)('answers %s in JSON', async (path) => {
    const { port } = await serveProducts({ noCors: true })
    for (const method of ['GET', 'PATCH']) {
      const answer = await exchange(port, { method, path })
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.body).not.toContain('steal')
      expect(() => JSON.parse(answer.body)).not.toThrow()
    }
  })

  it.each([
    ['as it is', undefined],
    [
      'with a render of its own',
      (_req: unknown, res: { jsonp(body: unknown): void }) => res.jsonp({ own: true }),
    ],
  ])('holds in a custom app, %s', async (_, render) => {
    const app = create()
    const api = router({ products: [{ id: 1 }] })
    if (render) Object.assign(api, { render })
    app.use(defaults({ noCors: true, logger: false }), api)
    const answer = await fetch(`${await serving(app)}/products?callback=steal`)
    expect(await answer.text()).not.toContain('steal')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it.each([{}, { noCors: true, middlewares: ['cors'] }, { middlewares: ['cors'] }])(
    'is not on with %j: JSONP goes on working',
    async (options) => {
      const { port } = await serveProducts(options)
      const answer = await exchange(port, { method: 'GET', path: '/products?callback=show' })
      expect(answer.body).toContain('show(')
      expect(answer.headers).not.toHaveProperty('cross-origin-resource-policy')
    },
  )

  it('turned off at run time, lets JSONP work again', async () => {
    const file = join(folder, 'kept.json')
    await writeFile(file, '{"products":[{"id":1}]}')
    const api = router(file)
    const closed = create().use(defaults({ noCors: true, logger: false }), api)
    const opened = create().use(defaults({ logger: false }), api)
    expect(await (await fetch(`${await serving(closed)}/products?callback=show`)).text()).not.toContain(
      'show',
    )
    expect(await (await fetch(`${await serving(opened)}/products?callback=show`)).text()).toContain('show(')
  })
})

describe('defaults() of an app of the user', () => {
  it('has the same doors', async () => {
    const app = create()
    app.use(defaults({ allowedHosts: ['app.test'], allowedOrigins: ['http://page.test'], logger: false }))
    app.use(router({ products: [] }))
    const port = Number(new URL(await serving(app)).port)
    expect((await ask(port, 'app.test', 'Origin: http://page.test')).status).toBe(200)
    expect((await ask(port, 'app.test', 'Origin: http://evil.test')).status).toBe(403)
    expect((await ask(port, 'evil.test')).status).toBe(403)
  })
})

describe('a list of hosts or origins', () => {
  const MISTAKES = {
    allowedHosts: ['http://app.test', 'app.test:3000', '*.app.test', '*', '', 'app.test/', 'app test'],
    allowedOrigins: [
      'app.test',
      'http://app.test/',
      'http://app.test/x',
      '*',
      'http://*',
      'http://a.*.test',
      '',
    ],
  }
  it.each(Object.entries(MISTAKES).flatMap(([key, entries]) => entries.map((entry) => ({ key, entry }))))(
    'with a mistake, $key: ["$entry"], is refused in one line that says what to write',
    ({ key, entry }) => {
      const read = () => resolveConfig({ [key]: [entry] })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(new RegExp(`^entry 1 of "${key}" must be .* For example: "${key}": \\[`))
      expect(read).not.toThrow('\n')
      const build = () => (key === 'allowedHosts' ? allowedHosts([entry]) : allowedOrigins([entry]))
      expect(build).toThrow(ConfigError)
    },
  )

  it.each(['allowed-hosts', 'allowedHosts', 'allowed-origins', 'allowedOrigins'])('is known as %s', (key) => {
    const value = key.includes('osts') ? ['app.test'] : ['http://app.test']
    expect(Object.values(resolveConfig({ [key]: value }))).toContainEqual(value)
    expect(() => resolveConfig({ [key]: 'app.test' })).toThrow('must be a list of')
  })
})
