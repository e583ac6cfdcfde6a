import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { StartOptions } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'
import { listenTo } from '../../support/http/listen-to.ts'
import { serve } from '../../support/http/serve.ts'
import { json, openApi, send } from '../../support/proxy/upstream.ts'

/** A server that records an API, in files of its own. */
async function recording(handle: Parameters<typeof openApi>[0], options: StartOptions = {}) {
  const folder = folderOf()
  const api = await openApi(handle)
  const source = join(folder, 'db.json')
  const configFile = { path: join(folder, 'restable.config.json'), read: async () => ({}) }
  const proxy = { target: `${api.url}/v2`, mode: 'record' as const }
  const server = await serve({ source, configFile, ...options, proxy: { ...proxy, ...options.proxy } })
  const saved = () => readFile(join(folder, 'restable.recording.json'), 'utf8')
  return {
    ...{ folder, api, source, server, saved },
    /** Another server on the same files, without the API. */
    async offline() {
      await server.close()
      await api.close()
      return serve({ source, configFile })
    },
  }
}

const USERS = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Alan' },
]

describe('recording', () => {
  it('makes rows of lists and items, below any prefix, which answer without the API', async () => {
    const { server, offline, source } = await recording((req, res) => {
      const [, id] = /^\/v2\/users\/(\d+)$/.exec(req.url ?? '') ?? []
      if (id !== undefined) json(res, { data: { ...USERS[Number(id) - 1], bio: 'long' } })
      else json(res, { data: USERS, meta: { total: 2 } })
    }, {})
    const list = await server.ask('GET', '/users')
    expect(list.headers.get('x-mock-source')).toBe('api')
    expect(list.headers.get('cache-control')).toBe('no-cache')
    const item = await server.ask('GET', '/users/1')
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({
      users: [{ ...USERS[0], bio: 'long' }, USERS[1]],
    })
    const replay = await offline()
    const [again, one] = [await replay.ask('GET', '/users'), await replay.ask('GET', '/users/1')]
    expect(again.body).toEqual(list.body)
    expect(one.body).toEqual(item.body)
    expect(one.headers.get('x-mock-source')).toBe('data')
    const created = await replay.ask('POST', '/users', { data: { name: 'Grace' } })
    expect(created.body).toEqual({ data: { id: 3, name: 'Grace' } })
    expect((await replay.ask('GET', '/users')).body.meta).toEqual({ total: 3 })
  })

  it('keeps whole what has no rows, and URLs in it point here', async () => {
    const { server, offline, api } = await recording((req, res) =>
      json(
        res,
        req.method === 'POST' ? { found: [1] } : { self: `${api.url}/v2/status`, other: `${api.url}/v3` },
      ),
    )
    await server.ask('GET', '/status?b=1&a=2&_=9')
    await server.ask('POST', '/search', { q: 'x' })
    const replay = await offline()
    const kept = await replay.ask('GET', '/status?a=2&b=1')
    expect(kept.body).toEqual({ self: `${replay.url}/status`, other: `${api.url}/v3` })
    expect(kept.headers.get('x-mock-source')).toBe('kept')
    expect((await replay.ask('POST', '/search', { q: 'x' })).body).toEqual({ found: [1] })
    expect((await replay.ask('POST', '/search', { q: 'y' })).status).toBe(404)
  })

  it('pages through in the shape of a preset', async () => {
    const all = Array.from({ length: 25 }, (_, at) => ({ id: at + 1, name: `User ${at}` }))
    const { server, offline, saved } = await recording((req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://x').searchParams.get('page') ?? 1)
      const rows = all.slice((page - 1) * 10, page * 10)
      const at = (to: number) => (to < 1 || to > 3 ? null : `http://${req.headers.host}/v2/users?page=${to}`)
      json(res, {
        data: rows,
        links: { first: at(1), last: at(3), prev: at(page - 1), next: at(page + 1) },
        meta: {
          ...{
            current_page: page,
            from: (page - 1) * 10 + 1,
            last_page: 3,
            path: `http://${req.headers.host}/v2/users`,
          },
          ...{ per_page: 10, to: (page - 1) * 10 + rows.length, total: 25 },
        },
      })
    })
    const first = await server.ask('GET', '/users')
    for (const page of [1, 2, 3]) await server.ask('GET', `/users?page=${page}`)
    expect(JSON.parse(await saved()).routes['/users'].preset).toBe('laravel')
    expect(await saved()).not.toContain('"whole"')
    const before = await saved()
    for (const page of [3, 1]) await server.ask('GET', `/users?page=${page}`)
    expect(await saved()).toBe(before)
    const replay = await offline()
    const again = await replay.ask('GET', '/users')
    expect(again.body.data).toEqual(first.body.data)
    expect(again.body.meta).toEqual({ ...first.body.meta, path: `${replay.url}/users` })
    expect((await replay.ask('GET', again.body.links.next.replace(replay.url, ''))).body.data).toEqual(
      all.slice(10, 20),
    )
  })

  it('unpacks for a client that did not ask for it packed, and only then', async () => {
    const packed = gzipSync(JSON.stringify(USERS))
    const { server, source, api } = await recording((_req, res) =>
      res.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }).end(packed),
    )
    const plain = await send(server.url, '/users')
    expect([JSON.parse(String(plain.body)), plain.headers['content-encoding']]).toEqual([USERS, undefined])
    expect(api.seen[0]?.headers['accept-encoding']).toBe('gzip, deflate, br')
    const zipped = await send(server.url, '/users', {
      headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': '"a"' },
    })
    expect(zipped.body).toEqual(packed)
    expect(api.seen[1]?.headers).not.toHaveProperty('if-none-match')
    expect((await send(server.url, '/users', { method: 'HEAD' })).status).toBe(200)
    expect(JSON.parse(await readFile(source, 'utf8'))).toEqual({ users: USERS })
  })

  it('tells nobody of rows that a read brought, and all of those that a write did', async () => {
    const { server } = await recording((req, res) =>
      json(res, req.method === 'GET' ? USERS : { id: 3 }, req.method === 'GET' ? 200 : 201),
    )
    const next = await listenTo(server.url)
    await server.ask('GET', '/users')
    await server.ask('POST', '/users', { name: 'Grace' })
    expect(JSON.parse((await next()).data ?? '').resources).toEqual([{ name: 'users', count: 3 }])
  })

  it('says how much of a list it has', async () => {
    const { server } = await recording((_req, res) => json(res, USERS, 200, { 'X-Total-Count': '340' }))
    await server.ask('GET', '/users?page=1')
    const { headers } = await server.ask('GET', '/users?page=9', undefined, { 'X-Mock-Proxy': 'local' })
    expect(headers.get('x-mock-recorded')).toBe('2 of 340')
  })

  it('follows writes', async () => {
    const users = new Map(USERS.map((user) => [String(user.id), user]))
    const { server, offline } = await recording((req, res) => {
      const [, id] = /users\/(\d+)/.exec(req.url ?? '') ?? []
      let text = ''
      req
        .on('data', (chunk) => (text += chunk))
        .on('end', () => {
          const sent = text === '' ? {} : JSON.parse(text)
          if (req.method === 'DELETE') users.delete(id ?? '')
          if (req.method === 'POST') users.set('3', { id: 3, ...sent })
          if (req.method === 'PATCH') users.set(id ?? '', { ...users.get(id ?? ''), ...sent })
          if (req.method === 'DELETE') return res.writeHead(204).end()
          json(
            res,
            req.method === 'GET' ? [...users.values()] : (users.get(id ?? '3') ?? {}),
            req.method === 'POST' ? 201 : 200,
          )
        })
    })
    await server.ask('GET', '/users')
    await server.ask('POST', '/users', { name: 'Grace' })
    await server.ask('PATCH', '/users/1', { name: 'Ada L.' })
    await server.ask('DELETE', '/users/2')
    const replay = await offline()
    expect((await replay.ask('GET', '/users')).body).toEqual([...users.values()])
  })

  it('gives rows below a parent its key, and keeps it out of answers that had none', async () => {
    const { server, offline, source } = await recording((req, res) =>
      json(res, req.url?.endsWith('posts') ? [{ id: 7, title: 'x' }] : USERS),
    )
    await server.ask('GET', '/users')
    const nested = await server.ask('GET', '/users/2/posts')
    expect(JSON.parse(await readFile(source, 'utf8')).posts).toEqual([{ id: 7, title: 'x', userId: 2 }])
    const replay = await offline()
    expect((await replay.ask('GET', '/users/2/posts')).body).toEqual(nested.body)
    expect((await replay.ask('GET', '/users/1/posts')).body).toEqual([])
  })

  it.each([
    ['text', 200, { 'Content-Type': 'text/plain' }, 'x'],
    ['a failure', 404, {}, '{"a":1}'],
    ['a part', 206, {}, '[{"id":1}]'],
    ['a number that JavaScript cannot hold', 200, {}, '{"id":12345678901234567890}'],
    ['more than maxBytes', 200, {}, `{"a":"${'x'.repeat(2000)}"}`],
  ])('passes %s and keeps nothing', async (_, status, headers, body) => {
    const { server, offline } = await recording(
      (_req, res) => res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body),
      { proxy: { maxBytes: 1000 } },
    )
    const answer = await fetch(`${server.url}/things/1`)
    expect([answer.status, await answer.text()]).toEqual([status, body])
    expect((await (await offline()).ask('GET', '/things/1')).status).toBe(404)
  })

  it('leaves alone what was here before, and answers from what was kept while the API is gone', async () => {
    const { server, api } = await recording((_req, res) => json(res, { data: USERS }), {
      data: { notes: [{ id: 1 }] },
    })
    expect((await server.ask('GET', '/notes')).headers.get('x-mock-source')).toBe('data')
    const before = await server.ask('GET', '/users')
    await api.close()
    const after = await server.ask('GET', '/users')
    expect([after.status, after.body]).toEqual([200, before.body])
    expect((await server.ask('GET', '/users/99')).status).toBe(502)
    expect((await server.ask('POST', '/users', {})).status).toBe(502)
    expect(server.lines.join('\n')).toContain('answered from what was kept')
  })

  it('ends whole answers of a resource that is written through', async () => {
    const { server } = await recording((req, res) =>
      json(res, { data: USERS, version: req.method === 'GET' ? Math.random() : 0 }),
    )
    await server.ask('GET', '/users?any=1')
    await server.ask('GET', '/users?any=2')
    const local = async () =>
      (await server.ask('GET', '/users?any=2', undefined, { 'X-Mock-Proxy': 'local' })).headers
    expect((await local()).get('x-mock-source')).toBe('kept')
    await server.ask('PUT', '/users/9', { a: 1 }, { 'X-Mock-Proxy': 'through' })
    expect((await local()).get('x-mock-source')).toBe('data')
  })

  it('fills in items that are missing, but not those deleted here', async () => {
    const { server, api } = await recording(
      (req, res) => json(res, { id: Number(req.url?.split('/')[3]), far: true }),
      {
        data: { notes: [{ id: 1 }] },
        proxy: { mode: 'fill' },
      },
    )
    expect((await server.ask('GET', '/notes/2')).body).toEqual({ id: 2, far: true })
    expect((await server.ask('GET', '/notes/2')).headers.get('x-mock-source')).toBe('data')
    await server.ask('DELETE', '/notes/1')
    expect((await server.ask('GET', '/notes/1')).status).toBe(404)
    expect(api.seen).toHaveLength(1)
  })

  it('is one change of the history, and undone as such; in a session it stays there', async () => {
    const { server } = await recording((_req, res) => json(res, USERS), { data: {} })
    await server.ask('GET', '/users', undefined, { 'X-Mock-Session': 'a' })
    expect((await server.ask('GET', '/db')).body).toEqual({})
    expect((await server.ask('GET', '/db', undefined, { 'X-Mock-Session': 'a' })).body).toEqual({
      users: USERS,
    })
    await server.ask('GET', '/users')
    expect((await server.ask('GET', '/__history')).body).toMatchObject([{ method: 'GET', url: '/users' }])
    await server.ask('POST', '/__undo')
    expect((await server.ask('GET', '/db')).body.users ?? []).toEqual([])
  })

  it('writes no secrets, and refuses to send their stand-ins', async () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
    const { server, saved, source, api } = await recording((req, res) =>
      json(res, {
        id: 1,
        password: 'hunter2',
        link: 'https://x.example/?token=hunter2',
        note: `is ${jwt}`,
        asked: req.url,
      }),
    )
    await server.ask('GET', '/things/1?api_key=hunter2')
    await server.ask('GET', '/about?access_token=hunter2')
    for (const path of ['/auth/login', '/oauth/token', '/v1/login'])
      await server.ask('POST', path, { password: 'hunter2' })
    const files =
      (await saved()) +
      (await readFile(source, 'utf8')) +
      JSON.stringify((await server.ask('GET', '/__history')).body)
    expect(files).not.toContain('hunter2')
    expect(files).not.toContain(jwt)
    expect(files).not.toContain('login')
    expect(
      (await server.ask('GET', '/things/1?api_key=other', undefined, { 'X-Mock-Proxy': 'local' })).status,
    ).toBe(200)
    const { length } = api.seen
    const refused = await server.ask('PUT', '/things/1', { password: '***' })
    expect([refused.status, refused.body.code]).toEqual([409, 'REDACTED'])
    expect(api.seen).toHaveLength(length)
  })

  it('puts values of their kind in place of those that are named, in rows, whole answers and parameters', async () => {
    const ada = { id: 1, email: 'ada@real.example', born: '1815-12-10', phone: '+44 20 123', name: 'Ada' }
    const { server, saved, source, offline, folder, api } = await recording(
      (req, res) =>
        json(
          res,
          req.url?.includes('/about')
            ? { owner: { email: ada.email } }
            : [ada, { ...ada, id: 2, age: 3693693, ok: true }],
        ),
      { proxy: { redact: ['email', 'users.phone', 'users.born', 'age'] } },
    )
    const seen = await server.ask('GET', '/users?email=ada@real.example')
    expect(seen.body[0]).toEqual(ada)
    await server.ask('GET', '/about')
    const files =
      (await saved()) +
      (await readFile(source, 'utf8')) +
      JSON.stringify((await server.ask('GET', '/__history')).body)
    for (const real of ['ada@real', 'ada%40real', '1815-12', '20 123', '3693693'])
      expect(files).not.toContain(real)
    const [first, second] = JSON.parse(await readFile(source, 'utf8')).users
    expect(first).toEqual({
      ...{ id: 1, name: 'Ada', email: expect.stringMatching(/^user-\w{12}@example\.com$/) },
      ...{
        born: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        phone: expect.stringMatching(/^\+\d\d \d\d \d{3}$/),
      },
    })
    expect(second.email).toBe(first.email)
    expect(api.seen[0]?.url).toContain('email=ada@real.example')
    const replay = await offline()
    expect((await replay.ask('GET', '/users?email=ada@real.example')).body).toEqual([first, second])
    expect((await replay.ask('GET', '/about')).body).toEqual({ owner: { email: first.email } })
    await replay.close()
    await rm(join(folder, '.restable'), { recursive: true })
    const elsewhere = await serve({
      source,
      configFile: { path: join(folder, 'a.json'), read: async () => ({}) },
    })
    expect((await elsewhere.ask('GET', '/users?email=ada@real.example')).body).toEqual([])
  })

  it.each(['id', 'users._id', 'userId', 'posts.author'])(
    'does not redact %s, which rows are found by',
    async (name) => {
      const resources = { posts: { references: { author: { resource: 'users' } } } }
      const start = serve({
        data: { posts: [], users: [] },
        resources,
        proxy: { target: 'http://x.example', redact: [name] },
      })
      await expect(start).rejects.toThrow(name)
    },
  )

  it('refuses a file that is no recording', async () => {
    const folder = folderOf()
    await writeFile(join(folder, 'restable.recording.json'), '[]')
    const configFile = { path: join(folder, 'restable.config.json'), read: async () => ({}) }
    await expect(serve({ source: join(folder, 'db.json'), configFile })).rejects.toThrow(
      'this is no recording',
    )
  })
})
