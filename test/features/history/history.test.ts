import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../../src/core/engine/engine.ts'
import { create, router, type StartOptions } from '../../../src/index.ts'
import { fileOf, folderOf } from '../../support/folder.ts'
import { serve } from '../../support/http/serve.ts'
import { json, serving } from '../../support/http/serving.ts'

const data = () => ({ posts: [{ id: 1, title: 'a' }], profile: { name: 'x' } })

interface Entry {
  readonly version: number
  readonly url: string
  readonly code: string
  readonly undone?: boolean
  readonly changes: readonly unknown[]
}

async function serveHistory(options: StartOptions = {}) {
  const server = await serve({ ...(options.source === undefined && { data: data() }), ...options })
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(server.url + path, init)
    const body = (await response.json()) as Entry & readonly Entry[]
    return { status: response.status, body }
  }
  const post = (path: string, body: unknown = {}) => ask(path, json('POST', body))
  return { server, ask, post, version: async () => (await ask('/__changes')).body.version }
}

describe('GET /__history', () => {
  it('tells each change, newest first: its request, and rows before and after', async () => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    await post('/posts', { title: 'b' })
    await ask('/posts/1', json('PATCH', { title: 'c' }))
    await ask('/posts/2', { method: 'DELETE' })
    await ask('/profile', json('PUT', { name: 'y' }))
    const { status, body } = await ask('/__history')
    expect(status).toBe(200)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    const entry = (count: number, method: string, url: string, change: object) => ({
      version: start + count,
      at,
      method,
      url,
      session: null,
      changes: [change],
    })
    expect(body).toEqual([
      entry(4, 'PUT', '/profile', {
        resource: 'profile',
        id: null,
        op: 'update',
        before: { name: 'x' },
        after: { name: 'y' },
      }),
      entry(3, 'DELETE', '/posts/2', {
        resource: 'posts',
        id: 2,
        op: 'delete',
        before: { id: 2, title: 'b' },
      }),
      entry(2, 'PATCH', '/posts/1', {
        resource: 'posts',
        id: 1,
        op: 'update',
        before: { id: 1, title: 'a' },
        after: { id: 1, title: 'c' },
      }),
      entry(1, 'POST', '/posts', {
        resource: 'posts',
        id: 2,
        op: 'create',
        after: { id: 2, title: 'b' },
      }),
    ])
  })

  it.each<[string, readonly number[]]>([
    ['?_limit=2', [4, 3]],
    ['?_limit=0', []],
    ['?_before=$3', [2, 1]],
    ['?_before=$3&_limit=1', [2]],
    ['?_before=1', []],
  ])('%s is a part of it', async (query, expected) => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    for (const title of ['b', 'c', 'd', 'e']) await post('/posts', { title })
    const { body } = await ask(`/__history${query.replace('$3', String(start + 3))}`)
    expect(body.map((entry) => entry.version - start)).toEqual(expected)
  })

  it.each(['_limit=x', '_before=-1', '_limit=1.5'])('refuses %s', async (query) => {
    const { ask } = await serveHistory()
    expect(await ask(`/__history?${query}`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } })
  })

  it('is the same JSON however long it is, and HEAD tells its length', async () => {
    const { server, post, version } = await serveHistory()
    const start = await version()
    const rows = Array.from({ length: 5000 }, (_, at) => ({ title: `Ünï ${at}`, text: 'x'.repeat(50) }))
    await post('/posts', rows)
    for (const path of ['/__history', `/__changes?since=${start}`]) {
      const response = await fetch(server.url + path)
      const text = await response.text()
      const body: unknown = JSON.parse(text)
      expect(text).toBe(JSON.stringify(body, null, 2))
      expect(JSON.stringify(body)).toContain('"Ünï 4999"')
      const head = await fetch(server.url + path, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  it('masks secrets in URLs, as a log does', async () => {
    const { ask, post } = await serveHistory()
    await post('/posts?token=hunter2', { title: 'b' })
    expect((await ask('/__history')).body[0]?.url).toBe('/posts?token=***')
  })

  it('tells the URL that the client sent, not what a rule made of it', async () => {
    const folder = folderOf({ 'routes.json': '{"/api/*":"/$1"}' })
    const { ask, post } = await serveHistory({ routes: join(folder, 'routes.json') })
    await post('/api/posts', { title: 'b' })
    expect((await ask('/__history')).body[0]?.url).toBe('/api/posts')
    for (const path of ['__undo', '__redo', '__reset']) {
      expect(await post(`/api/${path}`)).toEqual({ status: 404, body: {} })
    }
    for (const path of ['__history', '__changes']) {
      expect(await ask(`/api/${path}`)).toEqual({ status: 404, body: {} })
    }
    expect((await ask('/posts')).body).toHaveLength(2)
  })
})

describe('POST /__undo and /__redo', () => {
  it('take back the newest change, and make it again', async () => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    await post('/posts', { title: 'b' })
    expect(await post('/__undo')).toEqual({
      status: 200,
      body: { version: start + 2, undone: [start + 1] },
    })
    expect((await ask('/posts')).body).toEqual(data().posts)
    expect(await post('/__undo')).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_UNDO' } })
    expect((await ask('/__history')).body).toMatchObject([
      { method: 'POST', url: '/__undo', undoes: [start + 1], changes: [{ op: 'delete', id: 2 }] },
      { method: 'POST', url: '/posts', undone: true },
    ])
    expect(await post('/__redo')).toEqual({
      status: 200,
      body: { version: start + 3, redone: [start + 1] },
    })
    expect(await post('/__redo')).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_REDO' } })
    expect((await ask('/posts/2')).body).toEqual({ id: 2, title: 'b' })
    expect((await ask('/__history')).body[2]?.undone).toBeUndefined()
    await post('/__undo')
    await post('/posts', { title: 'c' })
    expect((await ask('/__history')).body.map(({ undone }) => undone)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      true,
    ])
  })

  it('go to a version', async () => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    for (const title of ['b', 'c', 'd']) await post('/posts', { title })
    await post('/__undo', { to: start })
    expect((await ask('/posts')).body).toHaveLength(1)
    await post('/__redo', { to: start + 2 })
    expect((await ask('/posts')).body).toHaveLength(3)
    const gone = { status: 410, body: { code: 'HISTORY_GONE' } }
    expect(await post('/__undo', { to: start - 1 })).toMatchObject(gone)
  })

  it.each([{ to: '5' }, { to: 1.5 }, { to: null }, [1]])('refuse %j', async (body) => {
    const { post } = await serveHistory()
    expect(await post('/__undo', body)).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } })
    expect(await post('/__redo', body)).toMatchObject({ status: 400, body: { code: 'INVALID_BODY' } })
  })

  it('refuse a body that is not JSON', async () => {
    const { ask } = await serveHistory()
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
    expect(await ask('/__undo', init)).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } })
  })

  const del = { method: 'DELETE' }
  type Steps = readonly (readonly [path: string, init: RequestInit])[]
  type Owner = (posts: Record<string, unknown>[]) => unknown

  it.each<[string, Steps, Owner, string, object?]>([
    [
      'a row that its owner changed',
      [['/posts/1', json('PATCH', { title: 'b' })]],
      ([one]) => Object.assign(one ?? {}, { title: 'mine' }),
      '/__undo',
    ],
    [
      'a row in whose place its owner moved another',
      [['/posts/1', json('PATCH', { title: 'b' })]],
      (posts) => posts.reverse(),
      '/__undo',
    ],
    ...['push' as const, 'unshift' as const].map((add): [string, Steps, Owner, string] => [
      `a removed row whose id its owner used again, by ${add},`,
      [['/posts/2', del]],
      (posts) => posts[add]({ id: 2, title: 'mine' }),
      '/__undo',
    ]),
    [
      'a removed row whose id its owner gave to another',
      [['/posts/1', del]],
      ([two]) => Object.assign(two ?? {}, { id: '1' }),
      '/__undo',
    ],
    [
      'a row that was added and taken back, whose id its owner used since',
      [
        ['/posts', json('POST', {})],
        ['/__undo', json('POST', {})],
      ],
      (posts) => posts.push({ id: 4 }),
      '/__redo',
    ],
    [
      'rows, of which one has an id that its owner used again',
      [['/posts?id_gte=2', del]],
      (posts) => posts.push({ id: 3, title: 'mine' }),
      '/__undo',
    ],
    [
      'several changes, the first of which removed such a row',
      [
        ['/posts/2', del],
        ['/posts/3', json('PATCH', { title: 'd' })],
        ['/posts', json('POST', { id: 9 })],
      ],
      (posts) => posts.push({ id: 2, title: 'mine' }),
      '/__undo',
      { to: 0 },
    ],
  ])('refuse %s of a live object, and change nothing', async (_, steps, act, path, body = {}) => {
    const posts: Record<string, unknown>[] = ['a', 'b', 'c'].map((title, at) => ({ id: at + 1, title }))
    const { ask, post, version } = await serveHistory({ data: { posts } })
    const start = await version()
    for (const [url, init] of steps) expect((await ask(url, init)).status).toBeLessThan(300)
    act(posts)
    const before = structuredClone(posts)
    const refused = await post(path, 'to' in body ? { to: start } : body)
    expect(refused).toMatchObject({ status: 409, body: { code: 'UNDO_CONFLICT' } })
    expect([posts, (await ask('/posts')).body]).toEqual([before, before])
  })

  it('refuse what was changed through server.db since', async () => {
    const { server, ask, post } = await serveHistory()
    await ask('/posts/1', json('PATCH', { title: 'b' }))
    server.db.get('posts').find({ id: 1 }).assign({ title: 'mine' }).value()
    expect(await post('/__undo')).toMatchObject({ status: 409, body: { code: 'UNDO_CONFLICT' } })
    await server.db.get('posts').write()
    expect(await post('/__undo')).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_UNDO' } })
  })
})

describe('POST /__reset', () => {
  it('puts everything back as it was, and begins another history', async () => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    await post('/posts', { title: 'b' })
    await ask('/profile', json('PUT', { name: 'y' }))
    expect(await post('/__reset')).toEqual({ status: 200, body: { version: start + 3 } })
    expect((await ask('/db')).body).toEqual(data())
    expect((await ask('/__history')).body).toEqual([])
    expect(await post('/__undo')).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_UNDO' } })
    expect((await ask(`/__changes?since=${start + 2}`)).status).toBe(410)
  })

  it('saves it to the file, and takes over what somebody edits there', async () => {
    const path = fileOf(`${JSON.stringify(data(), null, 2)}\n`)
    const first = readFileSync(path, 'utf8')
    const { ask, post } = await serveHistory({ source: path })
    await post('/posts', { title: 'b' })
    await post('/__reset')
    expect(readFileSync(path, 'utf8')).toBe(first)
    writeFileSync(path, '{"posts":[{"id":7}]}')
    await post('/posts', { title: 'c' })
    expect((await ask('/posts')).body).toHaveLength(2)
    await post('/__reset')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ posts: [{ id: 7 }] })
  })
})

describe('an edit of the file that nothing has read yet', () => {
  const EDITED = '{"posts":[{"id":7}]}'

  async function edited(content: string) {
    const path = fileOf(data())
    const served = await serveHistory({ source: path })
    // So that there is something to undo, and something to redo.
    for (const title of ['b', 'c']) await served.post('/posts', { title })
    await served.post('/__undo')
    writeFileSync(path, content)
    return { ...served, saved: () => JSON.parse(readFileSync(path, 'utf8')) }
  }

  it('is what a reset goes back to', async () => {
    const { post, saved, ask } = await edited(EDITED)
    expect((await post('/__reset')).status).toBe(200)
    expect(saved()).toEqual(JSON.parse(EDITED))
    expect((await ask('/db')).body).toEqual(JSON.parse(EDITED))
  })

  it('is replaced by a reset if it cannot be read', async () => {
    const { post, saved } = await edited('{"posts":[{')
    expect((await post('/__reset')).status).toBe(200)
    expect(saved()).toEqual(data())
  })

  it.each([
    ['/__undo', 'NOTHING_TO_UNDO'],
    ['/__redo', 'NOTHING_TO_REDO'],
  ])('has ended the history: %s', async (path, code) => {
    const { post, saved } = await edited(EDITED)
    expect(await post(path)).toMatchObject({ status: 409, body: { code } })
    expect(saved()).toEqual(JSON.parse(EDITED))
  })
})

describe('GET /__changes', () => {
  it('tells what rows are now, deletions without a row', async () => {
    const { ask, post, version } = await serveHistory()
    const start = await version()
    expect((await ask(`/__changes?since=${start}`)).body).toEqual({ version: start, changes: [] })
    await post('/posts', [{ title: 'b' }, { title: 'c' }])
    await ask('/posts/1', { method: 'DELETE' })
    await ask('/profile', json('PATCH', { name: 'y' }))
    const changes = [
      { version: start + 1, resource: 'posts', id: 2, op: 'create', row: { id: 2, title: 'b' } },
      { version: start + 1, resource: 'posts', id: 3, op: 'create', row: { id: 3, title: 'c' } },
      { version: start + 2, resource: 'posts', id: 1, op: 'delete' },
      { version: start + 3, resource: 'profile', id: null, op: 'update', row: { name: 'y' } },
    ]
    expect((await ask(`/__changes?since=${start}`)).body).toEqual({ version: start + 3, changes })
    const { body } = await ask(`/__changes?since=${start + 1}`)
    expect(body.changes).toEqual(changes.slice(2))
    await post('/__undo')
    expect((await ask(`/__changes?since=${start + 3}`)).body.changes).toEqual([
      { version: start + 4, resource: 'profile', id: null, op: 'update', row: { name: 'x' } },
    ])
  })

  it('is 410 for a version that is not kept, or yet to come', async () => {
    const { ask, version } = await serveHistory()
    const start = await version()
    for (const since of [start - 1, start + 1, 41]) {
      expect(await ask(`/__changes?since=${since}`)).toMatchObject({
        status: 410,
        body: { code: 'HISTORY_GONE' },
      })
    }
    expect((await ask('/__changes?since=x')).status).toBe(400)
  })

  it('starts at the current time, so that versions grow over restarts', async () => {
    const before = Date.now()
    const { version } = await serveHistory()
    const start = await version()
    expect(start).toBeGreaterThanOrEqual(before)
    expect(start).toBeLessThanOrEqual(Date.now())
  })
})

describe('what changes something', () => {
  const PATHS = ['/__undo', '/__redo', '/__reset']

  it.each<[string, string, boolean]>([
    ['of another site', 'https://evil.example', false],
    ['of a site that begins like this machine', 'http://localhost.evil.example', false],
    ['of a site that begins like an address of it', 'http://127.0.0.1.evil.example', false],
    ['without an origin to tell', 'null', false],
    ['on this machine', 'http://localhost:5173', true],
    ['on this machine by address', 'http://127.0.0.1:5173', true],
    ['on this machine by IPv6', 'http://[::1]:5173', true],
    ['under a name of this machine', 'http://app.localhost:8080', true],
    ['that is trusted', 'https://app.example.com', true],
  ])('is for a page %s: %s %s', async (_, origin, isAllowed) => {
    const { ask, post } = await serveHistory({ trustedOrigins: ['https://app.example.com'] })
    await post('/posts', { title: 'b' })
    for (const path of PATHS) {
      const { status, body } = await ask(path, { method: 'POST', headers: { origin } })
      if (isAllowed) expect(status).not.toBe(403)
      else expect([status, body.code]).toEqual([403, 'FOREIGN_ORIGIN'])
    }
    expect((await ask('/posts', { headers: { origin } })).body).toHaveLength(isAllowed ? 1 : 2)
  })

  it('is refused by a server that is read-only', async () => {
    const { post, ask } = await serveHistory({ readOnly: true })
    for (const path of PATHS) {
      expect(await post(path)).toMatchObject({ status: 403, body: { code: 'READ_ONLY' } })
    }
    expect((await ask('/__history')).status).toBe(200)
  })

  it('is behind the guards', async () => {
    const { post } = await serveHistory({ middlewares: ['bearer'] })
    for (const path of PATHS) expect((await post(path)).status).toBe(401)
  })
})

it('keeps nothing of what a router only pretends to do', async () => {
  const engine = new Engine(data(), { id: 'id', foreignKeySuffix: 'Id' })
  const url = await serving(create().use(router(engine, { _isFake: true })))
  expect((await fetch(`${url}/posts`, json('POST', { title: 'b' }))).status).toBe(201)
  expect(engine.history.list(10)).toEqual([])
})
