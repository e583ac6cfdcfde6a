import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { open, type StartOptions, start } from '../../../src/index.ts'
import { readEvents } from '../../../src/page/client/event-stream.ts'
import { openApi } from '../../support/http/serve.ts'
import { json } from '../../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, title: 'a' }] })
const many = (count: number, text: string) => ({
  posts: Array.from({ length: count }, (_, at) => ({ id: at + 1, text })),
})

function opened(options: StartOptions = {}) {
  return openApi({ data: data(), live: false, ...options })
}

describe('api.fetch()', () => {
  it('does what a server on a port does', async () => {
    const api = await opened()
    const created = await api.fetch('/posts', json('POST', { title: 'b' }))
    expect([created.status, await created.json()]).toEqual([201, { id: 2, title: 'b' }])
    expect(created.headers.get('location')).toBe('http://localhost/posts/2')
    expect((await api.fetch(new URL('http://localhost/posts/2'), { method: 'DELETE' })).status).toBe(200)
    expect(await (await api.fetch(new Request('http://localhost/posts'))).json()).toEqual(data().posts)
    expect(api.db.get('posts').value()).toEqual(data().posts)
    const missing = await api.fetch('/pots')
    expect([missing.status, await missing.json()]).toEqual([404, {}])
  })

  it.each([
    ['https://shop.example/posts?_page=1&_limit=1', '', 'https://shop.example/posts?_page=2&_limit=1'],
    [
      'http://shop.example:81/api/posts?_page=1&_limit=1',
      '/api',
      'http://shop.example:81/api/posts?_page=2&_limit=1',
    ],
  ])('makes URLs with the origin and the path of %s', async (url, base, next) => {
    const api = await opened({ data: many(3, 'x') })
    const { origin } = new URL(url)
    for (const times of [1, 2, 3]) {
      const { headers } = await api.fetch(url, { base })
      expect(headers.get('link'), String(times)).toContain(`<${next}>; rel="next"`)
    }
    const other = await api.fetch(url.replace(/^https?/, 'ftp').replace(/^ftp/, 'http'), { base })
    expect(other.headers.get('link')).toContain('<http://shop.example')
    const created = await api.fetch(`${origin}${base}/posts`, { ...json('POST', {}), base })
    expect(created.headers.get('location')).toBe(`${origin}${base}/posts/4`)
    const openapi = await (await api.fetch(`${origin}${base}/__openapi`, { base })).json()
    expect(openapi).toMatchObject({ servers: [{ url: `${origin}${base}` }] })
  })

  it.each([
    ['HEAD', '/posts', {}, 200],
    ['DELETE', '/posts/1', { prefer: 'return=minimal' }, 204],
    ['GET', '/posts', { 'if-none-match': '*' }, 304],
  ])('gives no body to %s %s with %j', async (method, path, headers, status) => {
    const api = await opened()
    const response = await api.fetch(path, { method, headers })
    expect([response.status, response.body, await response.text()]).toEqual([status, null, ''])
    if (status === 200) expect(response.headers.get('x-total-count')).toBe('1')
  })

  it('keeps each cookie apart', async () => {
    const users = [{ id: 1, email: 'ada@example.com', password: 'password-of-ada' }]
    const api = await opened({ data: { users }, middlewares: ['accounts'], accounts: { cookies: true } })
    const login = { email: 'ada@example.com', password: 'password-of-ada' }
    const response = await api.fetch('https://localhost/login', json('POST', login))
    const cookies = response.headers.getSetCookie()
    expect(cookies.map((cookie) => cookie.split('=', 1)[0])).toEqual(['access_token', 'refresh_token'])
    expect(cookies.join()).toContain('Secure')
  })

  it('compresses if the request says so', async () => {
    const api = await opened({ data: many(1000, 'text') })
    const headers = { 'accept-encoding': 'gzip' }
    for (const times of [1, 2, 3]) {
      const response = await api.fetch('/posts', { headers })
      expect(response.headers.get('content-encoding'), String(times)).toBe('gzip')
      const bytes = gunzipSync(await response.arrayBuffer())
      expect(JSON.parse(bytes.toString())).toHaveLength(1000)
    }
    expect((await api.fetch('/posts')).headers.get('content-encoding')).toBeNull()
  })

  it('takes and gives large bodies, at the pace of who reads them', async () => {
    const api = await opened({ data: { posts: [] } })
    const rows = many(8000, 'x'.repeat(100)).posts
    const text = JSON.stringify(rows)
    // A stream has no length.
    const sent = new Blob([text]).stream()
    const init = {
      method: 'POST',
      body: sent,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    }
    expect((await api.fetch('/posts', init as RequestInit)).status).toBe(201)
    const response = await api.fetch('/posts')
    let size = 0
    for await (const chunk of response.body ?? []) size += chunk.length
    expect(size).toBeGreaterThan(text.length)
    const packed = await api.fetch('/posts', { headers: { 'accept-encoding': 'gzip' } })
    expect(JSON.parse(gunzipSync(await packed.arrayBuffer()).toString())).toEqual(rows)
    const huge = await api.fetch('/posts', { method: 'POST', body: 'x'.repeat(11_000_000) })
    expect(huge.status).toBe(413)
  })

  it('waits for a body that is sent piece by piece', async () => {
    const api = await opened()
    const pieces = ['{"title":', '"b"', '}']
    const body = new ReadableStream({
      async pull(controller) {
        // As hosts do: the next piece, or the end, is there only after the last was read.
        await new Promise((resolve) => setImmediate(resolve))
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(Buffer.from(piece))
      },
    })
    const headers = { 'content-type': 'application/json', 'content-length': '13' }
    const init: object = { method: 'POST', headers, body, duplex: 'half' }
    const created = await api.fetch(new Request('http://localhost/posts', init))
    expect(await created.json()).toEqual({ id: 2, title: 'b' })
  })

  it('hands out bytes that nobody else uses', async () => {
    const api = await opened()
    for (const times of [1, 2, 3, 4]) {
      const { value } = (await (await api.fetch('/posts')).body?.getReader().read()) ?? {}
      expect(new TextDecoder().decode(value), String(times)).toContain('"title": "a"')
      value?.fill(0)
    }
  })
})

describe('a stream', () => {
  it('arrives event by event, and ends with the server', async () => {
    const api = await opened()
    const response = await api.fetch('/__events?resource=posts')
    if (!response.body) throw new Error('There is no stream.')
    const events = readEvents(response.body)
    const next = async () => (await events.next()).value
    const first = next()
    await api.fetch('/posts', json('POST', { title: 'b' }))
    expect(JSON.stringify(await first)).toContain('posts')
    await api.close()
    for (;;) if ((await events.next()).done) break
  })

  it.each(['is cancelled', 'is aborted'])('is over for the server when it %s', async (how) => {
    const api = await opened()
    const name = 'a'
    const stop = new AbortController()
    const headers = { 'x-mock-session': name }
    const response = await api.fetch('/__events', { headers, signal: stop.signal })
    const reader = response.body?.getReader()
    const idle = async () => Object(await (await api.fetch('/__sessions')).json())[0].idleMs
    expect(await idle()).toBe(0)
    await reader?.read()
    const pending = reader?.read()
    if (how === 'is cancelled') await reader?.cancel()
    else {
      stop.abort(new Error('enough'))
      await expect(pending).rejects.toThrow('enough')
    }
    await expect.poll(idle).toBeGreaterThan(0)
  })
})

describe('a request', () => {
  it('that is aborted is rejected with the reason, and its response is not waited for', async () => {
    const api = await opened({ delay: 60_000 })
    const stop = new AbortController()
    const response = api.fetch('/posts', { signal: stop.signal })
    stop.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    await expect(api.fetch('/posts', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    await api.close()
  })

  it.each(['reset', 'empty', 'hang'] as const)(
    'that meets the fault %s fails as on a network',
    async (fault) => {
      const api = await opened({ faults: { rules: [{ fault }] } })
      const response = api.fetch('/posts', json('POST', {}))
      if (fault === 'hang') await Promise.all([expect(response).rejects.toThrow('fetch failed'), api.close()])
      else await expect(response).rejects.toThrow('fetch failed')
    },
  )

  it('that is truncated fails while its body is read', async () => {
    const api = await opened({ faults: { rules: [{ fault: 'truncate' }] } })
    const response = await api.fetch('/posts')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('closed the connection')
  })
})

describe('a session', () => {
  it.each(['open', 'start'] as const)('of %s() has a fetch of its own', async (how) => {
    const options = { data: data(), live: false, port: 0 }
    const server = await (how === 'open' ? open(options) : start(options))
    onTestFinished(() => server.close())
    const session = server.session('a')
    const deleted = await session.fetch('/posts/1', { method: 'DELETE', headers: { 'x-other': '1' } })
    expect(deleted.headers.get('x-mock-session')).toBe('a')
    expect(await (await session.fetch(new Request('http://localhost/posts'))).json()).toEqual([])
    expect(await (await server.fetch('/posts')).json()).toEqual(data().posts)
  })
})
