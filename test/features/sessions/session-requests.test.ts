import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunningServer, StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'

const DATA = {
  posts: [
    { id: 1, title: 'one', authorId: 1 },
    { id: 2, title: 'two', authorId: 2 },
  ],
  authors: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
  profile: { name: 'mine' },
}

/** A server on a file of its own. */
async function serveFile(options: StartOptions = {}): Promise<RunningServer & { file: string }> {
  const file = join(folderOf(), 'db.json')
  await writeFile(file, JSON.stringify(DATA, null, 2))
  const server = await serve({ source: file, ...options })
  return Object.assign(Object.create(server), { file })
}

const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const as = (name: string) => ({ headers: { 'X-Mock-Session': name } })

async function read(url: string, init?: RequestInit): Promise<unknown> {
  return (await fetch(url, init)).json()
}

async function codeOf(response: Response): Promise<readonly [number, unknown]> {
  const body: unknown = await response.json()
  return [response.status, Reflect.get(Object(body), 'code')]
}

describe('a session', () => {
  it('has a copy of all data, which nobody else sees and the file never does', async () => {
    const { url, file } = await serveFile()
    const { mtimeMs } = await stat(file)
    const mine = { 'X-Mock-Session': 'worker-3' }
    const created = await fetch(`${url}/posts`, json('POST', { title: 'mine' }, mine))
    expect([created.status, created.headers.get('x-mock-session')]).toEqual([201, 'worker-3'])
    expect(await created.json()).toEqual({ id: 3, title: 'mine' })
    await fetch(`${url}/posts/1`, { method: 'DELETE', headers: mine })
    await fetch(`${url}/profile`, json('PATCH', { name: 'theirs' }, mine))
    expect(await read(`${url}/db`, { headers: mine })).toEqual({
      ...DATA,
      posts: [DATA.posts[1], { id: 3, title: 'mine' }],
      profile: { name: 'theirs' },
    })
    for (const others of [undefined, as('worker-4')]) expect(await read(`${url}/db`, others)).toEqual(DATA)
    expect(await readFile(file, 'utf8')).toBe(JSON.stringify(DATA, null, 2))
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
  })

  it('does not see what changes in the base after its first request', async () => {
    const { url } = await serveFile()
    await fetch(`${url}/posts`, as('a'))
    await fetch(`${url}/posts`, json('POST', { title: 'three' }))
    const totals = async (name?: string) =>
      (await fetch(`${url}/posts`, name ? as(name) : undefined)).headers.get('x-total-count')
    expect([await totals(), await totals('a'), await totals('b')]).toEqual(['3', '2', '3'])
    const next = await Promise.all(
      ['a', 'b'].map((name) => read(`${url}/posts`, json('POST', {}, { 'X-Mock-Session': name }))),
    )
    expect(next).toEqual([{ id: 3 }, { id: 4 }])
  })

  it.each<[string, Record<string, string>, string | null]>([
    ['by header', { 'X-Mock-Session': 'a' }, 'a'],
    ['by cookie', { cookie: 'mock_session=a' }, 'a'],
    ['by cookie among others', { cookie: 'x=1; mock_session="a"; y=2' }, 'a'],
    ['by header, which beats the cookie', { 'X-Mock-Session': 'b', cookie: 'mock_session=a' }, 'b'],
    ['by no cookie that cannot be a name', { cookie: 'mock_session=a b' }, null],
    ['by no cookie that is too long', { cookie: `mock_session=${'a'.repeat(65)}` }, null],
    ['by no cookie with another name', { cookie: 'not_mock_session=a' }, null],
    ['by the longest name', { 'X-Mock-Session': `.-_9${'A'.repeat(60)}` }, `.-_9${'A'.repeat(60)}`],
  ])('is named %s', async (_, headers, name) => {
    const { url } = await serveFile()
    const response = await fetch(`${url}/posts`, { headers })
    expect([response.status, response.headers.get('x-mock-session')]).toEqual([200, name])
    const listed = (await read(`${url}/__sessions`)) as { name: string }[]
    expect(listed.map((one) => one.name)).toEqual(name === null ? [] : [name])
  })

  it.each(['', 'a b', 'a/b', 'ä', 'a'.repeat(65), 'a, b'])('cannot be called %j', async (name) => {
    const { url } = await serveFile()
    const response = await fetch(`${url}/posts`, {
      headers: { 'X-Mock-Session': Buffer.from(name).toString('latin1') },
    })
    expect(await codeOf(response)).toEqual([400, 'INVALID_SESSION'])
    expect(await read(`${url}/__sessions`)).toEqual([])
  })

  it('answers other origins, and lets them read its name', async () => {
    const { url } = await serveFile()
    const headers = { 'X-Mock-Session': 'a', origin: 'http://app.test' }
    const response = await fetch(`${url}/posts`, { headers })
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['X-Mock-Session', 'X-Total-Count', 'ETag']))
    const refused = await fetch(`${url}/posts`, { headers: { ...headers, 'X-Mock-Session': '?' } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      400,
      'http://app.test',
    ])
  })

  it('has its own of everything that is told beside the data', async () => {
    const { url } = await serveFile()
    const headers = { 'X-Mock-Session': 'a' }
    await fetch(`${url}/posts`, json('POST', { likes: 5, revenue: 7 }, headers))
    expect(await read(`${url}/stats`, { headers })).toMatchObject({ posts: 3, totalRevenue: 7 })
    expect(await read(`${url}/stats`)).not.toHaveProperty('totalRevenue')
    const countIn = async (init?: RequestInit) => {
      const service = (await read(`${url}/__service`, init)) as {
        resources: { name: string; count: number }[]
      }
      return service.resources.find(({ name }) => name === 'posts')?.count
    }
    expect([await countIn({ headers }), await countIn()]).toEqual([3, 2])
    for (const path of ['/__schema', '/__openapi', '/__schema/posts']) {
      expect(JSON.stringify(await read(`${url}${path}`, { headers }))).toContain('likes')
      expect(JSON.stringify(await read(`${url}${path}`))).not.toContain('likes')
    }
  })

  it.each<[string, (name: string) => { headers: Record<string, string> }]>([
    ['header', as],
    ['cookie', (name) => ({ headers: { cookie: `mock_session=${name}` } })],
  ])('keeps answers apart: neither caches, nor ETags, nor what is replayed cross, by %s', async (_, by) => {
    const { url } = await serveFile()
    const paths = [
      '/posts',
      '/posts/1',
      '/posts?_embed=author&title_like=o',
      '/db',
      '/profile',
      '/authors?q=a',
    ]
    const all = async (init?: RequestInit) =>
      Promise.all(
        paths.map(async (path) => {
          const response = await fetch(`${url}${path}`, init)
          return [await response.text(), response.headers.get('etag')]
        }),
      )
    // Often enough that everything is in every cache there is.
    const warm = async () => {
      for (let round = 0; round < 4; round++)
        for (const init of [undefined, by('a'), by('b')]) await all(init)
    }
    await warm()
    const before = await all()
    for (const [path, body] of [
      ['/posts/1', { title: 'on' }],
      ['/authors/1', { name: 'Ada in a' }],
      ['/profile', { name: 'in a' }],
    ] as const) {
      await fetch(`${url}${path}`, json('PATCH', body, by('a').headers))
    }
    await warm()
    const [base, a, b] = [await all(), await all(by('a')), await all(by('b'))]
    expect(base).toEqual(before)
    expect(b).toEqual(before)
    for (const [at, [text, etag]] of a.entries()) {
      expect(text).not.toBe(before[at]?.[0])
      expect(etag).not.toBe(before[at]?.[1])
    }
    const known = await fetch(`${url}/posts/1`, {
      headers: { ...by('a').headers, 'If-None-Match': before[1]?.[1] ?? '' },
    })
    expect(known.status).toBe(200)
    const stale = { ...by('a').headers, 'If-Match': before[1]?.[1] ?? '' }
    expect((await fetch(`${url}/posts/1`, json('PATCH', {}, stale))).status).toBe(412)
  })

  it('is not what another one of its name left in the caches', async () => {
    const { url } = await serveFile()
    await fetch(`${url}/posts/1`, json('PATCH', { title: 'old' }, { 'X-Mock-Session': 'a' }))
    for (let round = 0; round < 3; round++) await fetch(`${url}/posts/1`, as('a'))
    expect((await fetch(`${url}/__sessions/a`, { method: 'DELETE' })).status).toBe(200)
    expect(await read(`${url}/posts/1`, as('a'))).toEqual(DATA.posts[0])
  })

  it('is held to the rules of its resources, against its own rows', async () => {
    const { url } = await serveFile({ resources: { posts: { unique: ['title'] } } })
    const post = async (title: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/posts`, json('POST', { title }, headers))).status
    const a = { 'X-Mock-Session': 'a' }
    expect([await post('three', a), await post('three', a), await post('one', a)]).toEqual([201, 409, 409])
    expect([await post('three'), await post('three', { 'X-Mock-Session': 'b' })]).toEqual([201, 409])
    await fetch(`${url}/posts/1`, { method: 'DELETE', headers: a })
    expect([await post('one', a), await post('one')]).toEqual([201, 409])
  })

  it('is still read-only where the server is', async () => {
    const { url } = await serveFile({ readOnly: true })
    const response = await fetch(`${url}/posts`, json('POST', {}, { 'X-Mock-Session': 'a' }))
    expect(response.status).toBe(403)
    expect((await fetch(`${url}/__sessions/a`, { method: 'DELETE' })).status).toBe(403)
  })

  it('is not opened by requests that a guard refuses', async () => {
    const { url } = await serveFile({ middlewares: ['bearer'] })
    expect((await fetch(`${url}/posts`, as('a'))).status).toBe(401)
    const headers = { Authorization: 'Bearer mock-bearer-token' }
    expect(await read(`${url}/__sessions`, { headers })).toEqual([])
    await fetch(`${url}/posts`, { headers: { ...headers, 'X-Mock-Session': 'a' } })
    expect(await read(`${url}/__sessions`, { headers })).toMatchObject([{ name: 'a' }])
  })

  it('has a rate limit of its own', async () => {
    const { url } = await serveFile({ middlewares: ['rate-limit'], rateLimit: { limit: 2 } })
    const statuses = async (init?: RequestInit) => {
      const found: number[] = []
      for (let round = 0; round < 3; round++) found.push((await fetch(`${url}/posts`, init)).status)
      return found
    }
    for (const init of [undefined, as('a'), as('b')]) expect(await statuses(init)).toEqual([200, 200, 429])
  })

  it('has its own users and tokens', async () => {
    const { url } = await serveFile({ middlewares: ['jwt'], jwt: { secret: 'secret' } })
    const login = async (password: string, headers: Record<string, string> = {}) => {
      const credentials = { email: 'ada@example.com', password }
      const response = await fetch(`${url}/login`, json('POST', credentials, headers))
      const { token } = (await response.json()) as { token?: string }
      return { status: response.status, authorization: `Bearer ${token}` }
    }
    const post = async (authorization: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/posts`, json('POST', {}, { ...headers, authorization }))).status
    const a = { 'X-Mock-Session': 'a' }
    // There are no users, so anyone may log in.
    const [base, own] = [await login('x'), await login('x', a)]
    expect([base.status, own.status]).toEqual([200, 200])
    const statuses = [
      await post(base.authorization),
      await post(own.authorization, a),
      await post(base.authorization, a),
      await post(own.authorization),
      await post(own.authorization, { 'X-Mock-Session': 'b' }),
    ]
    expect(statuses).toEqual([201, 201, 401, 401, 401])
  })

  it('logs in the users of its copy', async () => {
    const users = [{ id: 1, email: 'ada@example.com', password: 'base' }]
    const server = await serveFile({ data: { users }, middlewares: ['jwt'], jwt: { secret: 'secret' } })
    const session = server.session('a')
    await session.db.get('users').find({ id: 1 }).assign({ password: 'mine' }).write()
    const login = async (password: string, by: typeof fetch | typeof session.fetch) =>
      (await by(`${server.url}/login`, json('POST', { email: 'ada@example.com', password }))).status
    expect([await login('mine', session.fetch), await login('base', session.fetch)]).toEqual([200, 401])
    expect([await login('mine', fetch), await login('base', fetch)]).toEqual([401, 200])
  })

  it('means nothing where sessions are off', async () => {
    const { url, session } = await serveFile({ sessions: false })
    for (const name of ['a', 'not valid']) {
      const response = await fetch(`${url}/posts`, json('POST', {}, { 'X-Mock-Session': name }))
      expect([response.status, response.headers.get('x-mock-session')]).toEqual([201, null])
    }
    expect(await read(`${url}/posts`)).toHaveLength(4)
    expect((await fetch(`${url}/__sessions`)).status).toBe(404)
    expect(() => session('a')).toThrow('Sessions are off')
  })
})

describe('the limits of sessions', () => {
  it('refuse another one, and name the way out', async () => {
    const { url } = await serveFile({ sessions: { max: 1 } })
    await fetch(`${url}/posts`, as('a'))
    const headers = { 'X-Mock-Session': 'b', Origin: 'http://page.test' }
    const refused = await fetch(`${url}/posts`, { headers })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(await codeOf(refused)).toEqual([503, 'TOO_MANY_SESSIONS'])
    expect((await fetch(`${url}/posts`, as('a'))).status).toBe(200)
    await fetch(`${url}/__sessions/a`, { method: 'DELETE' })
    expect((await fetch(`${url}/posts`, as('b'))).status).toBe(200)
  })
})

describe('the chain of a session that nobody entered before', () => {
  it.each<[string, () => Promise<{ server: RunningServer; posts: object[] }>]>([
    [
      'an object that is served live',
      async () => {
        const data = structuredClone(DATA)
        const server = await serveFile({ data })
        return { server, posts: data.posts }
      },
    ],
    [
      'a file, whose chain is used',
      async () => {
        const server = await serveFile()
        return { server, posts: server.db.get<object[]>('posts').value() }
      },
    ],
  ])('has what was just added to %s, and so has a reset', async (_, open) => {
    const { server, posts } = await open()
    const session = server.session('a')
    await fetch(`${server.url}/posts`)
    posts.push({ id: 3, title: 'pushed' })
    expect(session.db.get('posts').map('title').value()).toEqual(['one', 'two', 'pushed'])
    const titles = async () => (await session.fetch('/posts')).json()
    const pushed = [...DATA.posts, { id: 3, title: 'pushed' }]
    expect(await titles()).toEqual(pushed)
    session.db.get('posts').push({ id: 4 }).value()
    posts.push({ id: 5 })
    expect(await titles()).toEqual([...pushed, { id: 4 }])
    await session.reset()
    expect(await titles()).toEqual(pushed)
    expect(session.db.get('posts').size().value()).toBe(3)
    const other = server.session('b')
    other.db.get('posts').push({ id: 6 }).value()
    await other.reset()
    expect(await (await other.fetch('/posts')).json()).toEqual([...pushed, { id: 5 }])
  })
})

it('makes ids in a session as the server does, also once its chain was asked for', async () => {
  const server = await serveFile()
  server.db._.mixin({ createId: (rows: object[]) => `post-${rows.length + 1}` })
  const session = server.session('a')
  const post = async () => (await session.fetch('/posts', json('POST', {}))).json()
  expect(await post()).toEqual({ id: 'post-3' })
  expect(session.db.get('posts').size().value()).toBe(3)
  expect(await post()).toEqual({ id: 'post-4' })
  session.db._.mixin({ createId: () => 'own' })
  expect(await post()).toEqual({ id: 'own' })
})

describe('the list of sessions', () => {
  it('tells how long each is idle', async () => {
    const { url } = await serveFile()
    await fetch(`${url}/posts`, as('a'))
    await fetch(`${url}/posts`, as('b'))
    const listed = (await read(`${url}/__sessions`, as('c'))) as Record<string, number>[]
    expect(listed.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(listed[0]?.idleMs).toBeGreaterThanOrEqual(0)
    expect(Date.parse(String(listed[0]?.createdAt))).toBeGreaterThan(0)
  })

  it('puts one back to its copy, not to what the base is now', async () => {
    const { url } = await serveFile()
    await fetch(`${url}/posts/1`, { method: 'DELETE', ...as('a') })
    await fetch(`${url}/posts/2`, { method: 'DELETE' })
    expect((await fetch(`${url}/__sessions/a/reset`, { method: 'POST' })).status).toBe(200)
    expect(await read(`${url}/posts`, as('a'))).toEqual(DATA.posts)
    expect(await read(`${url}/posts`)).toEqual([DATA.posts[0]])
  })

  it('has nothing to put back of one that was not used yet, which then starts with what the base is', async () => {
    const { url } = await serveFile()
    expect((await fetch(`${url}/__sessions/a/reset`, { method: 'POST' })).status).toBe(200)
    expect(await read(`${url}/__sessions`)).toEqual([])
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    expect(await read(`${url}/posts`, as('a'))).toEqual([DATA.posts[1]])
  })

  it.each([
    ['DELETE', '/__sessions/nobody'],
    ['POST', '/__sessions/no%20name/reset'],
  ])('does not know everybody: %s %s', async (method, path) => {
    const { url } = await serveFile()
    expect(await codeOf(await fetch(`${url}${path}`, { method }))).toEqual([404, 'SESSION_NOT_FOUND'])
  })

  it.each([
    ['DELETE', '/__sessions/a'],
    ['POST', '/__sessions/a/reset'],
  ])('lets no foreign page change one: %s %s', async (method, path) => {
    const { url } = await serveFile({ trustedOrigins: ['https://*.example.com'] })
    await fetch(`${url}/posts/1`, { method: 'DELETE', ...as('a') })
    for (const origin of [
      'https://evil.test',
      'null',
      'http://localhost.evil.test',
      'http://127.0.0.1.evil.test',
    ]) {
      const refused = await fetch(`${url}${path}`, { method, headers: { origin } })
      expect(await codeOf(refused)).toEqual([403, 'FOREIGN_ORIGIN'])
    }
    expect(await read(`${url}/posts`, as('a'))).toHaveLength(1)
    for (const origin of [url, 'http://localhost:5173', 'http://[::1]:80', 'https://app.example.com']) {
      await fetch(`${url}/posts`, as('a'))
      expect((await fetch(`${url}${path}`, { method, headers: { origin } })).status).toBe(200)
    }
  })

  it('is not there through a rewrite rule', async () => {
    const routes = join(folderOf(), 'routes.json')
    await writeFile(routes, JSON.stringify({ '/public/*': '/$1' }))
    const { url } = await serveFile({ routes })
    await fetch(`${url}/public/posts`, as('a'))
    expect((await fetch(`${url}/public/__sessions`)).status).toBe(404)
    expect((await fetch(`${url}/public/__sessions/a`, { method: 'DELETE' })).status).toBe(404)
    expect(await read(`${url}/__sessions`)).toMatchObject([{ name: 'a' }])
  })
})

describe('snapshots and a session', () => {
  it('are restored into it, and neither saved nor deleted there', async () => {
    const { url, file } = await serveFile({ snapshots: folderOf() })
    const { id } = (await read(`${url}/__snapshots__`, { method: 'POST' })) as { id: string }
    const headers = { 'X-Mock-Session': 'a' }
    for (const [method, path] of [
      ['POST', ''],
      ['DELETE', `/${id}`],
    ]) {
      const refused = await fetch(`${url}/__snapshots__${path}`, { method: String(method), headers })
      expect(await codeOf(refused)).toEqual([409, 'NOT_IN_SESSION'])
    }
    expect(await read(`${url}/__snapshots__`, { headers })).toHaveLength(1)
    for (const each of [undefined, headers]) {
      await fetch(`${url}/posts/1`, { method: 'DELETE', ...(each && { headers: each }) })
    }
    const before = await readFile(file, 'utf8')
    await fetch(`${url}/__snapshots__/${id}`, { method: 'PUT', headers })
    expect(await read(`${url}/posts`, { headers })).toEqual(DATA.posts)
    expect(await read(`${url}/posts`)).toEqual([DATA.posts[1]])
    expect(await readFile(file, 'utf8')).toBe(before)
  })
})

describe('a middleware file', () => {
  it('may put something of its own there', async () => {
    const path = join(folderOf(), 'own.mjs')
    await writeFile(
      path,
      `export default (req, res, next) => {
        req.db = 'own'
        res.setHeader('X-Db', req.db)
        next()
      }`,
    )
    const { url } = await serveFile({ middlewares: [path] })
    for (const init of [undefined, as('a')]) {
      expect((await fetch(`${url}/posts`, init)).headers.get('x-db')).toBe('own')
    }
  })

  it('finds the data of the session as req.db, and that of the base as app.db', async () => {
    const path = join(folderOf(), 'count.mjs')
    await writeFile(
      path,
      `export default (req, res, next) => {
        res.setHeader('X-Here', req.db.get('posts').size().value())
        res.setHeader('X-Base', req.app.db.get('posts').size().value())
        if (req.query.push) req.db.get('posts').push({ id: 9 }).write()
        next()
      }`,
    )
    const { url, file } = await serveFile({ middlewares: [path] })
    const counts = async (init?: RequestInit, query = '') => {
      const { headers } = await fetch(`${url}/posts${query}`, init)
      return [headers.get('x-here'), headers.get('x-base'), headers.get('x-total-count')]
    }
    await fetch(`${url}/posts/1`, { method: 'DELETE', ...as('a') })
    expect(await counts()).toEqual(['2', '2', '2'])
    expect(await counts(as('a'))).toEqual(['1', '2', '1'])
    expect(await counts(as('a'), '?push=1')).toEqual(['1', '2', '2'])
    expect(await counts(as('a'))).toEqual(['2', '2', '2'])
    expect(await counts(as('b'))).toEqual(['2', '2', '2'])
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(DATA)
  })
})
