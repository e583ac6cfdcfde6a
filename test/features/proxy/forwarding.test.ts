import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer as createTcpServer } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { start } from '../../../src/index.ts'
import { serve } from '../../support/http/serve.ts'
import { json, openApi, send } from '../../support/proxy/upstream.ts'

const MEGABYTES = 100

const POSTS = { posts: [{ id: 1, title: 'here' }] }

async function behind(
  handle: Parameters<typeof openApi>[0],
  { proxy, ...options }: StartOptions = {},
  base = '',
) {
  const api = await openApi(handle)
  const server = await serve({
    data: structuredClone(POSTS),
    proxy: { target: api.url + base, ...proxy },
    ...options,
  })
  return { api, server, url: server.url }
}

describe('who answers', () => {
  it('is the data for what is here, and the API for all else', async () => {
    const { server, api } = await behind((req, res) => json(res, { asked: req.url }), {}, '/v2')
    expect((await server.ask('GET', '/posts/1')).body).toEqual({ id: 1, title: 'here' })
    expect((await server.ask('GET', '/posts/9')).status).toBe(404)
    const asked = await server.ask('GET', '/users/3?a=1&b=%20')
    expect(asked.body).toEqual({ asked: '/v2/users/3?a=1&b=%20' })
    expect(asked.headers.get('x-mock-source')).toBe('api')
    expect((await server.ask('GET', '/posts')).headers.get('x-mock-source')).toBe('data')
    expect((await server.ask('GET', '/nowhere/1/posts')).body).toEqual({ asked: '/v2/nowhere/1/posts' })
    expect(api.seen.map(({ url }) => url)).toEqual(['/v2/users/3?a=1&b=%20', '/v2/nowhere/1/posts'])
  })

  it.each([
    ['/__service', 'GET', 200],
    ['/__nothing', 'GET', 404],
    ['/db', 'GET', 200],
    ['/users', 'OPTIONS', 204],
  ])('%s by %s is always ours', async (path, method, status) => {
    const { url, api } = await behind((_req, res) => json(res, {}), { proxy: { mode: 'through' } })
    expect((await send(url, path, { method })).status).toBe(status)
    expect(api.seen).toEqual([])
  })

  it('changes while it runs, for one request, and in a session alone', async () => {
    const { server, api } = await behind((_req, res) => json(res, ['api']))
    const source = async (headers: Record<string, string> = {}) =>
      (await server.ask('GET', '/posts', undefined, headers)).headers.get('x-mock-source')
    expect(await source()).toBe('data')
    expect(await source({ 'X-Mock-Proxy': 'through' })).toBe('api')
    const changed = await server.ask('PUT', '/__proxy', { resources: { posts: 'through' } })
    const target = `${api.url}/`
    expect(changed.body).toEqual({ target, mode: 'missing', resources: { posts: 'through' }, unkept: 0 })
    expect(await source()).toBe('api')
    expect(await source({ 'X-Mock-Proxy': 'local' })).toBe('data')
    await server.ask('PUT', '/__proxy', { mode: 'local', resources: {} }, { 'X-Mock-Session': 'a' })
    expect(await source({ 'X-Mock-Session': 'a' })).toBe('data')
    expect(await source()).toBe('api')
    await server.ask('DELETE', '/__proxy')
    expect(await source()).toBe('data')
    for (const wrong of [{ target: 'http://evil.example' }, { mode: 'all' }, { resources: { a: 1 } }, []])
      expect((await server.ask('PUT', '/__proxy', wrong)).status).toBe(400)
    const write = await server.ask('POST', '/users', {}, { 'X-Mock-Session': 'a', 'X-Mock-Proxy': 'through' })
    expect([write.status, write.body.code]).toEqual([409, 'NOT_IN_SESSION'])
  })
})

describe('forwarding', () => {
  it('sends the body of a request, whatever its kind, and what a parser has read', async () => {
    const bodies: string[] = []
    const { url } = await behind(
      (req, res) => {
        const hash = createHash('sha1')
        req
          .on('data', (chunk) => hash.update(chunk))
          .on('end', () => {
            bodies.push(`${req.method} ${req.headers['content-type']} ${hash.digest('hex')}`)
            res.writeHead(201).end()
          })
      },
      { middlewares: [(_req, _res, next) => next()] },
    )
    for (const [method, type, body] of [
      ['POST', 'application/json', '{"a" : 1.0}'],
      ['DELETE', 'application/json', '{"a":1}'],
      ['PUT', 'image/png', '\u0000\u0001'],
    ] as const) {
      const sent = await send(url, '/users', {
        method,
        body,
        headers: { 'Content-Type': type, 'Content-Length': String(body.length) },
      })
      expect(sent.status).toBe(201)
      expect(bodies.pop()).toBe(`${method} ${type} ${createHash('sha1').update(body).digest('hex')}`)
    }
  })

  it('returns bodies as they came: packed, without any, and with every status', async () => {
    const packed = gzipSync('{"a":1}')
    const { url, api } = await behind((req, res) => {
      const status = Number(req.url?.slice(8))
      if (status === 200)
        res.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }).end(packed)
      else res.writeHead(status, 'Own Words').end(status === 204 || status === 304 ? undefined : 'text')
    })
    const one = await send(url, '/status/200', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(one.body).toEqual(packed)
    expect(gunzipSync(one.body).toString()).toBe('{"a":1}')
    for (const status of [204, 304, 404, 501])
      expect((await send(url, `/status/${status}`)).status).toBe(status)
    const head = await send(url, '/status/200', { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers['content-encoding']]).toEqual([200, 0, 'gzip'])
    expect(api.seen.at(-1)?.method).toBe('HEAD')
  })

  it('keeps headers to those whom they are for', async () => {
    vi.stubEnv('PROXY_TEST_TOKEN', 's3cret')
    const { url, api, server } = await behind(
      (_req, res) =>
        res
          .writeHead(200, [
            ...['Connection', 'X-Hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=9', 'X-Kept', '1'],
            ...['Strict-Transport-Security', 'max-age=1', 'Access-Control-Allow-Origin', 'https://a.example'],
            ...['Access-Control-Expose-Headers', 'X-Kept', 'Cache-Control', 'max-age=60', 'Vary', 'Cookie'],
          ])
          .end(),
      {
        proxy: { headers: { Authorization: 'Bearer $PROXY_TEST_TOKEN' } },
        middlewares: ['api-key'],
        apiKey: { keys: { 'proxy-test-key-1': ['read', 'write'] } },
      },
    )
    const answer = await send(url, '/users', {
      headers: {
        ...{ Connection: 'close, X-Own', 'X-Own': '1', TE: 'trailers', 'X-Mock-Delay': '1', 'X-Key': 'k' },
        ...{ 'X-API-Key': 'proxy-test-key-1', Authorization: 'Bearer mine', Origin: server.url },
        ...{ Referer: `${url}/page?x=1`, Cookie: 'mock_session=a; sid=1', 'X-Mock-Session': 'a' },
      },
    })
    const [seen] = api.seen
    expect(seen?.headers).toEqual({
      ...{ host: new URL(api.url).host, connection: 'keep-alive', 'x-key': 'k', cookie: 'sid=1' },
      ...{ authorization: 'Bearer s3cret', origin: api.url, referer: `${api.url}/page?x=1` },
      via: expect.stringMatching(/^1\.1 restable-\w+$/),
    })
    expect(answer.headers).toMatchObject({ 'x-kept': '1', 'cache-control': 'max-age=60' })
    expect(answer.headers).not.toHaveProperty('x-hop')
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
    expect(answer.headers.vary).toContain('Cookie')
    expect(answer.headers['access-control-allow-origin']).toBe(server.url)
    expect(answer.headers['access-control-expose-headers']).toContain('X-Kept')
  })

  it('makes cookies fit plain HTTP, and takes that back', async () => {
    const { url, api } = await behind(
      (_req, res) => {
        res.setHeader('Set-Cookie', [
          '__Host-sid=1; Path=/; Secure; HttpOnly; SameSite=None; Partitioned',
          'lang=en; Domain=.example.com; Path=/v2/users; SameSite=Lax',
        ])
        res.end()
      },
      {},
      '/v2',
    )
    const { headers } = await send(url, '/users')
    expect(headers['set-cookie']).toEqual(['sid=1; Path=/; HttpOnly', 'lang=en; Path=/users; SameSite=Lax'])
    await send(url, '/users', { headers: { Cookie: 'sid=1; lang=en' } })
    expect(api.seen[1]?.headers.cookie).toBe('__Host-sid=1; lang=en')
  })

  it('points redirects and links here, and follows none', async () => {
    const { url, api } = await behind(
      (req, res) => {
        const to = req.url?.endsWith('/out')
          ? 'https://other.example/v2'
          : `http://${req.headers.host}/v2/users/1?a=b`
        res
          .writeHead(302, {
            Location: to,
            Link: `<http://${req.headers.host}/v2/users?page=2>; rel="next", </v2/x>; rel=self`,
          })
          .end()
      },
      {},
      '/v2',
    )
    const { headers } = await send(url, '/users')
    expect(headers.location).toBe(`${url}/users/1?a=b`)
    expect(headers.link).toBe(`<${url}/users?page=2>; rel="next", <${url}/x>; rel=self`)
    expect((await send(url, '/out')).headers.location).toBe('https://other.example/v2')
    expect(api.seen).toHaveLength(2)
  })

  it.each([
    '//evil.example/a',
    '/a/../b',
    '/a/%2e%2E/b',
    '/..%2fb',
    '/a%5c..%5cb',
    '/a\\..\\b',
    '/./a',
    '/a/..',
    '/a/..;x/b',
  ])('refuses %s', async (path) => {
    const { url, api } = await behind((_req, res) => json(res, {}), {}, '/v2')
    const { status, body } = await send(url, path)
    expect([status, JSON.parse(String(body)).code]).toEqual([400, 'MALFORMED_URL'])
    expect(api.seen).toEqual([])
  })

  it('takes nothing but the path of an absolute URL', async () => {
    const { url, api } = await behind((_req, res) => json(res, {}), {}, '/v2')
    await send(url, 'http://localhost/users?a=http://x', {})
    expect(api.seen[0]?.url).toBe('/v2/users?a=http://x')
    expect(api.seen[0]?.headers.host).toBe(new URL(api.url).host)
  })

  it('finds a loop through two servers', async () => {
    const first = await start({ data: {}, port: 0 })
    const { port } = first
    await first.close()
    const second = await serve({ data: {}, proxy: { target: `http://127.0.0.1:${port}` } })
    const { ask } = await serve({ data: {}, port, host: '127.0.0.1', proxy: { target: second.url } })
    const { status, body } = await ask('GET', '/users')
    expect([status, body.code]).toEqual([508, 'PROXY_LOOP'])
  })

  it('reaches an API at an IPv6 address', async () => {
    const api = await openApi((_req, res) => json(res, [6]), '::1')
    const { ask } = await serve({ data: {}, proxy: { target: api.url } })
    expect((await ask('GET', '/users')).body).toEqual([6])
  })

  it('carries sixteen writes at once, each to its own answer', async () => {
    const { server } = await behind(
      (req, res) => {
        let text = ''
        req.on('data', (chunk) => (text += chunk)).on('end', () => json(res, JSON.parse(text), 201))
      },
      { proxy: { mode: 'through' } },
    )
    const sent = Array.from({ length: 16 }, (_, at) => server.ask('POST', '/posts', { at }))
    expect((await Promise.all(sent)).map(({ body }) => body.at)).toEqual(
      Array.from({ length: 16 }, (_, at) => at),
    )
  })
})

describe('a stream', () => {
  it('arrives as it is sent, and ends at the API when the client goes', async () => {
    let left: Promise<unknown> = Promise.resolve()
    const { url } = await behind((_req, res) => {
      left = once(res, 'close')
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
    })
    const stop = new AbortController()
    const response = await fetch(`${url}/events`, { signal: stop.signal })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
    stop.abort()
    await left
  })

  it('larger than all buffers passes without being kept in memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024)
    const { url } = await behind(async (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/octet-stream' })
      for (let at = 0; at < MEGABYTES; at++) if (!res.write(chunk)) await once(res, 'drain')
      res.end()
    })
    const before = process.memoryUsage().arrayBuffers
    let [size, most] = [0, 0]
    const response = await fetch(`${url}/file`)
    for await (const piece of response.body ?? []) {
      size += piece.length
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    expect(size).toBe(MEGABYTES * 1024 * 1024)
    expect(most).toBeLessThan(0.6 * MEGABYTES * 1024 * 1024)
  })

  it('that breaks off in the middle breaks off here', async () => {
    const { url } = await behind((_req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' }).write('half')
      setImmediate(() => res.socket?.destroy())
    })
    expect((await send(url, '/file')).isCut).toBe(true)
  })
})

describe('an API that fails', () => {
  it.each([
    ['refuses', 'http://127.0.0.1:1', 'UPSTREAM_UNREACHABLE', 502],
    ['is unknown', 'http://nowhere.invalid', 'UPSTREAM_UNREACHABLE', 502],
  ])('and %s', async (_, target, code, status) => {
    const { ask, lines } = await serve({ data: {}, proxy: { target } })
    for (const method of ['GET', 'POST']) {
      const failed = await ask(
        method,
        '/users?token=s3cret',
        method === 'POST' ? { a: 'x'.repeat(200_000) } : undefined,
      )
      expect([failed.status, failed.body.code]).toEqual([status, code])
    }
    expect(lines.join('\n')).not.toContain('s3cret')
  })

  it('has a certificate that nobody vouches for, unless that is allowed', async () => {
    const api = await serve({ data: { users: [] }, https: true })
    const { ask } = await serve({ data: {}, proxy: { target: api.url } })
    expect((await ask('GET', '/users')).body.code).toBe('UPSTREAM_UNREACHABLE')
    const trusting = await serve({ data: {}, proxy: { target: api.url, secure: false } })
    expect((await trusting.ask('GET', '/users')).body).toEqual([])
  })

  it('takes too long, from the end of the request', async () => {
    const { server } = await behind(() => {}, { proxy: { timeoutMs: 50 } })
    const { status, body } = await server.ask('GET', '/users')
    expect([status, body.code]).toEqual([504, 'UPSTREAM_TIMEOUT'])
  })

  it('closes its connections between two requests', async () => {
    let count = 0
    const tcp = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', () => {
          count += 1
          // The second request on a connection finds it gone.
          if (Reflect.get(socket, 'isUsed')) socket.resetAndDestroy()
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
          Object.assign(socket, { isUsed: true })
        })
    })
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void tcp.close())
    const { port } = tcp.address() as AddressInfo
    const { url } = await serve({ data: {}, proxy: { target: `http://127.0.0.1:${port}` } })
    expect(String((await send(url, '/a')).body)).toBe('ok')
    expect(String((await send(url, '/b')).body)).toBe('ok')
    expect(count).toBe(3)
  })
})

describe('a foreign page', () => {
  it.each([
    [{ Origin: 'https://evil.example' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Host: 'evil.example' }, 403],
    [{ Host: 'evil.example', Origin: 'http://evil.example' }, 403],
    [{ Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'cross-site' }, 200],
    [{ Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' }, 200],
    [{ Host: 'app.test' }, 200],
    [{}, 200],
  ])('that sends %j gets %i', async (headers, status) => {
    const { url, api } = await behind((_req, res) => json(res, []), {
      trustedOrigins: ['https://app.example'],
      allowedHosts: ['app.test', 'evil.example'].slice(
        0,
        'Host' in headers && headers.Host === 'app.test' ? 1 : 0,
      ),
    })
    const answer = await send(url, '/users', { headers })
    expect(answer.status).toBe(status)
    if (status === 403 && !('Host' in headers))
      expect(JSON.parse(String(answer.body)).code).toBe('FOREIGN_ORIGIN')
    expect(api.seen).toHaveLength(status === 200 ? 1 : 0)
  })

  it('with a host of its own is told of allowedHosts, and a program without a network is none', async () => {
    const { url, api, server } = await behind((_req, res) => json(res, []))
    const { status, body } = await send(url, '/users', { headers: { Host: 'evil.example' } })
    expect([status, JSON.parse(String(body)).code]).toEqual([403, 'FOREIGN_ORIGIN'])
    expect(String(body)).toContain('allowedHosts')
    expect(api.seen).toEqual([])
    expect((await server.fetch('http://any.example/users')).status).toBe(200)
    const foreign = { headers: { Origin: 'https://evil.example' } }
    expect((await server.fetch('http://any.example/users', foreign)).status).toBe(403)
  })
})

describe('guards', () => {
  it.each([
    [{ readOnly: true }, 'READ_ONLY'],
    [{ middlewares: ['bearer'] }, 'AUTH_TOKEN_MISSING'],
  ] as const)('hold for what the API answers: %j', async (options, _code) => {
    const { server, api } = await behind((_req, res) => json(res, {}), {
      ...options,
      middlewares: [...('middlewares' in options ? options.middlewares : [])],
    })
    expect((await server.ask('POST', '/users', {})).status).toBeGreaterThanOrEqual(401)
    expect(api.seen).toEqual([])
  })

  it('with accounts, keep resources with rules to the data, and writes to who is logged in', async () => {
    const options = {
      data: { users: [{ id: 1, email: 'a@b.c', password: 'secret-1' }], notes: [] },
      middlewares: ['accounts'],
      resources: { notes: { access: { read: 'signed-in' } } },
    } satisfies StartOptions
    const { server, api } = await behind((_req, res) => json(res, {}), {
      ...options,
      proxy: { mode: 'through' },
    })
    expect((await server.ask('GET', '/notes')).status).toBe(401)
    expect((await server.ask('GET', '/notes', undefined, { 'X-Mock-Proxy': 'through' })).status).toBe(401)
    expect((await server.ask('GET', '/users')).status).toBe(401)
    expect((await server.ask('POST', '/orders', {})).body.code).toBe('AUTH_REQUIRED')
    expect((await server.ask('PUT', '/__proxy', { mode: 'local' })).status).toBe(401)
    expect((await server.ask('PUT', '/__proxy', { mode: 'local' }, { 'X-Mock-Session': 'a' })).status).toBe(
      401,
    )
    expect(api.seen).toEqual([])
    expect((await server.ask('GET', '/orders')).status).toBe(200)
    const start = serve({ ...options, proxy: { target: api.url, resources: { notes: 'through' } } })
    await expect(start).rejects.toThrow('"proxy.resources.notes" must be "local"')
  })

  it.each([
    [{ target: 'ftp://x' }, '"proxy.target"'],
    [{ target: 'https://user:pw@x.example' }, '"proxy.target"'],
    [{ mode: 'record' }, '"proxy.target" is missing'],
    [{ target: 'https://x.example', headers: { 'X-Key': '$NOT_THERE_9' } }, 'NOT_THERE_9'],
  ])('refuse the setting %j', async (proxy, message) => {
    await expect(serve({ data: {}, proxy: proxy as never })).rejects.toThrow(message)
  })
})

it('a request that is cut off in its body reaches nobody whole', async () => {
  let ended = false
  const came = new EventEmitter()
  const { server } = await behind((req) => {
    req
      .on('end', () => (ended = true))
      .on('error', () => came.emit('cut'))
      .resume()
    req.once('data', () => came.emit('half'))
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('POST /users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf')
  await once(came, 'half')
  socket.destroy()
  await once(came, 'cut')
  expect(ended).toBe(false)
})
