import { describe, expect, it } from 'vitest'
import type { Exchange, StartOptions } from '../../../src/index.ts'
import { ADA, BOB, MEMBERS } from '../../support/http/members.ts'
import { serve } from '../../support/http/serve.ts'
import { json } from '../../support/http/serving.ts'

interface Body {
  readonly code?: string
  readonly token?: string
}

const bodyOf = async (response: Response): Promise<Body> => JSON.parse(await response.text())

const data = () => ({ posts: [{ id: 1, title: 'a' }], profile: { name: 'x' } })

async function serving(options: StartOptions = {}) {
  const server = await serve({ data: data(), live: false, ...options })
  const send = (path: string, init?: RequestInit) => fetch(server.url + path, init)
  const requests = async (query = '', init?: RequestInit): Promise<readonly Exchange[]> =>
    JSON.parse(await (await send(`/__requests${query}`, init)).text())
  const paths = async (query = '', init?: RequestInit) =>
    (await requests(query, init)).map(({ path }) => path)
  return { server, send, requests, paths }
}

describe('GET /__requests', () => {
  it('shows what was sent, newest first, as request events have it', async () => {
    const { send, requests } = await serving()
    await send('/posts?_limit=1')
    await send('/posts', json('POST', { title: 'b', password: 'hush' }))
    const [post, get] = await requests()
    expect(post).toMatchObject({
      id: 2,
      method: 'POST',
      path: '/posts',
      status: 201,
      requestHeaders: { 'content-type': 'application/json' },
      requestBody: { text: '{"title":"b","password":"***"}', size: 31, isCut: false },
      responseBody: { isCut: false },
    })
    expect(JSON.parse(post?.responseBody?.text ?? '')).toMatchObject({ id: 2, title: 'b' })
    expect(get).toMatchObject({ id: 1, method: 'GET', path: '/posts?_limit=1', status: 200 })
    expect(get?.responseHeaders['x-total-count']).toBe('1')
  })

  it.each([
    ['?_limit=2', ['/profile', '/posts/9']],
    ['?since=2', ['/profile', '/posts/9']],
    ['?method=put', ['/posts/9']],
    ['?method=PUT,POST', ['/posts/9', '/posts?x=1']],
    ['?status=404', ['/posts/9']],
    ['?path=/posts', ['/posts?x=1', '/posts']],
    ['?path=/posts/*', ['/posts/9']],
    ['?path=/:any', ['/profile', '/posts?x=1', '/posts']],
    ['?path=/posts%3Fx%3D:x', ['/posts?x=1']],
  ])('%s', async (query, expected) => {
    const { send, paths } = await serving()
    await send('/posts')
    await send('/posts?x=1', json('POST', {}))
    await send('/posts/9', json('PUT', {}))
    await send('/profile')
    expect(await paths(query)).toEqual(expected)
  })

  it.each(['?_limit=x', '?since=-1', `?path=/${'x'.repeat(1000)}`])('refuses %.20s', async (query) => {
    const { send } = await serving()
    const response = await send(`/__requests${query}`)
    expect([response.status, (await bodyOf(response)).code]).toEqual([400, 'INVALID_QUERY'])
  })

  it('leaves out what is about the server, the page and OPTIONS', async () => {
    const { send, paths } = await serving()
    for (const path of ['/__service', '/__requests', '/__page', '/', '/index.html?a=1', '/__nothing'])
      await send(path)
    await send('/posts', { method: 'OPTIONS' })
    expect(await paths()).toEqual([])
    await send('/', { method: 'POST' })
    expect(await paths()).toEqual(['/'])
  })

  it.each<[string, StartOptions, string, RequestInit, object]>([
    [
      'refused',
      { middlewares: ['bearer'] },
      '/posts',
      {},
      { status: 401, layer: 'bearer', code: 'AUTH_REQUIRED' },
    ],
    [
      'of another host',
      { allowedHosts: ['x.test'], allowedOrigins: [] },
      '/posts',
      { headers: { Origin: 'http://a.test' } },
      { status: 403, code: 'ORIGIN_NOT_ALLOWED' },
    ],
    ['failed on purpose', {}, '/posts?_status=503', {}, { status: 503, layer: 'faults', code: 'SIMULATED' }],
    [
      'of bad JSON',
      {},
      '/posts',
      { ...json('POST', {}), body: '{' },
      { status: 400, code: 'MALFORMED_JSON' },
    ],
    ['that find nothing', {}, '/nowhere', {}, { status: 404 }],
    [
      'with parameters that mean nothing',
      {},
      '/posts?titel=a',
      {},
      { ignored: [{ name: 'titel', suggestion: 'title' }] },
    ],
  ])('shows requests %s', async (_, options, path, init, entry) => {
    const { server, send } = await serving(options)
    await (await send(path, init)).text()
    expect(await server.requests()).toMatchObject([{ path, ...entry }])
  })

  it('shows those that are sent again from memory, compressed or not', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, title: `post ${at}` }))
    const { send, requests } = await serving({ data: { posts: rows } })
    for (const encoding of ['gzip', 'identity', 'gzip', 'identity', 'gzip', 'identity', 'gzip'])
      await (await send('/posts', { headers: { 'Accept-Encoding': encoding } })).text()
    const all = await requests()
    expect(all.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1])
    const [newest] = all
    for (const { id: _, time: __, ms: ___, ...entry } of all.filter((__, at) => at % 2 === 0)) {
      const { id: ____, time: _____, ms: ______, ...expected } = newest ?? {}
      expect(entry).toEqual(expected)
    }
    expect(JSON.parse(all[1]?.responseBody?.text ?? '')).toHaveLength(100)
    expect(newest?.responseBody?.text).toBe(all[1]?.responseBody?.text)
    expect(newest?.responseHeaders['content-encoding']).toBe('gzip')
  })

  it('has an entry before its answer ends, with a status once there is one', async () => {
    const { server, requests } = await serving()
    const fault = await server.faults.add({ match: { path: '/posts' }, fault: 'hang' })
    const abort = new AbortController()
    const hanging = fetch(`${server.url}/posts`, { ...json('POST', { title: 'sent' }), signal: abort.signal })
    await expect.poll(requests).toMatchObject([{ method: 'POST', path: '/posts', status: 0 }])
    abort.abort()
    await expect(hanging).rejects.toThrow()
    await server.faults.remove(fault.rules[0]?.id ?? 0)
    for (let count = 0; count < 20; count++) {
      await server.fetch('/profile', json('PATCH', { count }))
      const [newest] = await server.requests()
      expect(newest).toMatchObject({ status: 200, requestBody: { text: `{"count":${count}}` } })
    }
  })

  it('names what cut a response off', async () => {
    const { server, send, requests } = await serving()
    await server.faults.add({ fault: 'truncate' })
    await expect(send('/posts').then((response) => response.text())).rejects.toThrow()
    expect(await requests()).toMatchObject([{ path: '/posts', layer: 'faults' }])
  })

  it('keeps the last 200, in the base and in each session', async () => {
    const { server, requests } = await serving()
    for (let at = 0; at < 210; at++) await server.fetch(`/posts?n=${at}`)
    const session = server.session('a')
    await session.fetch('/profile')
    expect((await requests()).map(({ path }) => path).at(-1)).toBe('/posts?n=10')
    expect(await requests()).toHaveLength(200)
    expect((await session.requests()).map(({ path }) => path)).toEqual(['/profile'])
  })

  it('shows 16 KB of a body, and lets the oldest bodies go where all are more than 32 MB', async () => {
    const { server } = await serving()
    const text = 'x'.repeat(200_000)
    // In sessions, so that there may be more than 200.
    for (let at = 0; at < 180; at++)
      await server.session(`s${at % 2}`).fetch('/posts?_isFake=true', json('POST', { text }))
    const all = [...(await server.session('s0').requests()), ...(await server.session('s1').requests())]
    expect(all).toHaveLength(180)
    const kept = all.filter(({ requestBody }) => requestBody && !requestBody.isLeftOut)
    expect(kept.every(({ requestBody }) => requestBody?.text.length === 16 * 1024 && requestBody.isCut)).toBe(
      true,
    )
    expect(kept.length * 2 * text.length).toBeLessThanOrEqual(32 * 1024 * 1024)
    expect(kept.length).toBeGreaterThan(40)
    const newest = all.toSorted((one, other) => other.id - one.id).slice(0, kept.length)
    expect(new Set(newest)).toEqual(new Set(kept))
    expect(all.every(({ requestBody }) => requestBody?.size === text.length + 11)).toBe(true)
  })

  it('is emptied by DELETE, in the session that names it', async () => {
    const { send, paths } = await serving()
    const headers = { 'X-Mock-Session': 'a' }
    await send('/posts')
    await send('/profile', { headers })
    const emptied = await send('/__requests', { method: 'DELETE', headers })
    expect([emptied.status, await emptied.json()]).toEqual([200, {}])
    expect([await paths('', { headers }), await paths()]).toEqual([[], ['/posts']])
  })

  it('is not there where examples are served', async () => {
    const { send } = await serving({ hosted: 'public' })
    expect((await send('/__requests')).status).toBe(404)
  })
})

describe('who may see what was sent', () => {
  const statuses = async (options: StartOptions, headers: Record<string, string> = {}) => {
    const { send } = await serving(options)
    const of = async (method: string) => (await send('/__requests', { method, headers })).status
    return [await of('GET'), await of('DELETE')]
  }
  const session = { 'X-Mock-Session': 'a' }

  it('is no page of another site, in a session either', async () => {
    expect(await statuses({}, { Origin: 'http://evil.test' })).toEqual([403, 403])
    expect(await statuses({}, { ...session, Origin: 'http://evil.test' })).toEqual([403, 403])
    expect(await statuses({}, { Origin: 'http://localhost:5173' })).toEqual([200, 200])
  })

  it('is an admin where there are accounts, and anybody in a session', async () => {
    const options = { data: structuredClone(MEMBERS), middlewares: ['accounts'], accounts: { persona: true } }
    expect(await statuses(options)).toEqual([401, 401])
    expect(await statuses(options, { 'X-Mock-User': BOB.email })).toEqual([403, 403])
    expect(await statuses(options, { 'X-Mock-User': ADA.email })).toEqual([200, 200])
    expect(await statuses(options, session)).toEqual([200, 200])
  })

  it('is who has a token with jwt, and anybody in a session', async () => {
    const { server, send, paths } = await serving({
      middlewares: ['jwt'],
      jwt: { secret: 'a-secret-for-tests' },
    })
    const login = await send('/login', json('POST', { email: 'a@b.test', password: 'x' }))
    const headers = { Authorization: `Bearer ${(await bodyOf(login)).token}` }
    const refused = await send('/__requests')
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([401, 'AUTH_REQUIRED'])
    expect(await paths('', { headers })).toEqual(['/login'])
    expect((await send('/__requests', { headers: session })).status).toBe(200)
    expect(await server.requests()).toHaveLength(1)
  })
})
