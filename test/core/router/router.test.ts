import { readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Express } from 'express'
import express5 from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ChainDb, create, defaults, type RestRouter, rewriter, router } from '../../../src/index.ts'
import { catchConsole } from '../../support/console.ts'
import { folderOf } from '../../support/folder.ts'
import { json, serving } from '../../support/http/serving.ts'

const requireHere = createRequire(import.meta.url)
/** What json-server 0.17.4 stands on, and its users with it. */
const requireOld = createRequire(requireHere.resolve('json-server'))
const express4: typeof express5 = requireOld('express')
const low: (adapter: object) => ChainDb = requireOld('lowdb')
const adapter = (name: string, path?: string, options?: object): object =>
  new (requireOld(`lowdb/adapters/${name}`))(path, options)

const rows = () => ({
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
  ],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'me' },
})

async function file(data: object = rows()): Promise<string> {
  const path = join(folderOf(), 'db.json')
  await writeFile(path, JSON.stringify(data, null, 2))
  return path
}

const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

async function get(url: string, init?: RequestInit): Promise<unknown> {
  return (await fetch(url, init)).json()
}

afterEach(() => vi.restoreAllMocks())

describe('a router', () => {
  it('makes a file that is missing, with nothing in it', async () => {
    const path = join(folderOf(), 'db.json')
    const base = await serving(create().use(router(path)))
    expect(await readFile(path, 'utf8')).toBe('{}')
    expect(await get(`${base}/db`)).toEqual({})
  })

  it('says which file it cannot make', async () => {
    const path = join(folderOf(), 'no', 'db.json')
    expect(() => router(path)).toThrow('db.json does not exist')
  })

  it.each([
    ['a list', []],
    ['a collection that is a number', { posts: 1 }],
    ['a name with a slash', { 'a/b': [] }],
  ])('refuses data that is %s', (_, data) => {
    expect(() => router(data)).toThrow()
  })

  it('serves an object live, both ways', async () => {
    const data = rows()
    const base = await serving(create().use(router(data)))
    data.posts.push({ id: 3, title: 'c' })
    expect(await get(`${base}/posts/3`)).toEqual({ id: 3, title: 'c' })
    data.profile = { name: 'you' }
    expect(await get(`${base}/profile`)).toEqual({ name: 'you' })
    Object.assign(data, { tags: [{ id: 1 }] })
    expect(await get(`${base}/tags`)).toEqual([{ id: 1 }])
    const { posts } = data
    await fetch(`${base}/posts/1`, json('PATCH', { title: 'z' }))
    await fetch(`${base}/posts/2`, { method: 'DELETE' })
    expect(posts).toEqual([
      { id: 1, title: 'z' },
      { id: 3, title: 'c' },
    ])
    expect(data.posts).toBe(posts)
  })

  it("serves another router's db as one database", async () => {
    const path = await file()
    const first = router(path)
    const second = router(first.db)
    expect(second.db).toBe(first.db)
    const base = await serving(create().use('/one', first).use('/two', second))
    await Promise.all([
      fetch(`${base}/one/posts`, json('POST', {})),
      fetch(`${base}/two/posts`, json('POST', {})),
    ])
    expect((await read(path)).posts).toHaveLength(4)
  })

  it.each([
    ['id', { id: '_id' }, { posts: [{ _id: 'x' }] }, '/posts/x', { _id: 'x' }],
    [
      'foreignKeySuffix',
      { foreignKeySuffix: '_id' },
      { posts: [{ id: 1 }], tags: [{ post_id: 1 }] },
      '/posts/1/tags',
      [{ post_id: 1 }],
    ],
  ])('takes the option %s', async (_, options, data, url, answer) => {
    expect(await get((await serving(create().use(router(data, options)))) + url)).toEqual(answer)
  })

  it.each(['.id', '(', '$', '[a]'])(
    'takes the suffix %s as it is written, and not as a pattern',
    async (foreignKeySuffix) => {
      const key = `post${foreignKeySuffix}`
      const data = {
        posts: [{ id: 1 }],
        tags: [
          { id: 1, [key]: 1 },
          { id: 2, postid: 1, post: 1 },
        ],
      }
      const base = await serving(create().use(router(data, { foreignKeySuffix, cascade: true })))
      expect(await get(`${base}/posts/1?_embed=tags`)).toEqual({ id: 1, tags: [{ id: 1, [key]: 1 }] })
      expect(await get(`${base}/tags/1?_expand=post`)).toEqual({ id: 1, [key]: 1, post: { id: 1 } })
      expect(await get(`${base}/posts/1`, { method: 'DELETE' })).toEqual({})
      expect(data.tags).toEqual([{ id: 2, postid: 1, post: 1 }])
    },
  )

  it('changes nothing with _isFake, and answers as if it had', async () => {
    const data = rows()
    const base = await serving(create().use(router(data, { _isFake: true })))
    expect(await get(`${base}/posts`, json('POST', { title: 'c' }))).toEqual({ title: 'c', id: 3 })
    expect(await get(`${base}/posts/1`, json('PUT', { title: 'z' }))).toEqual({ title: 'z', id: 1 })
    expect(await get(`${base}/posts/1`, json('PATCH', { title: 'z' }))).toEqual({ title: 'z', id: 1 })
    expect(await get(`${base}/profile`, json('PUT', { name: 'you' }))).toEqual({ name: 'you' })
    expect((await fetch(`${base}/posts/1`, { method: 'DELETE' })).status).toBe(200)
    expect((await fetch(`${base}/posts/9`, { method: 'DELETE' })).status).toBe(404)
    expect(data).toEqual(rows())
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('leaves the file alone when a %s finds nothing', async (method) => {
    const path = await file()
    const base = await serving(create().use(router(path)))
    const before = await stat(path, { bigint: true })
    expect((await fetch(`${base}/posts/99`, json(method, {}))).status).toBe(404)
    const after = await stat(path, { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it('adds to the headers that a middleware exposes', async () => {
    const app = create()
    app.use((_req, res, next) => {
      res.set('Access-Control-Expose-Headers', 'X-Mine')
      next()
    })
    app.use(router(rows()))
    const { headers } = await fetch(`${await serving(app)}/posts?_page=1`)
    expect(headers.get('access-control-expose-headers')).toBe('X-Mine, X-Total-Count, Link')
  })
})

it.each(['FileSync', 'FileAsync'])('hands plain rows to a serializer of the user (%s)', async (name) => {
  const path = await file()
  const written: unknown[] = []
  const serialize = (data: ReturnType<typeof rows>): string => {
    written.push([Array.isArray(data.posts), Array.isArray(data.comments)])
    return JSON.stringify(data)
  }
  const base = await serving(create().use(router(await low(adapter(name, path, { serialize })))))
  expect((await fetch(`${base}/posts`, json('POST', { title: 'c' }))).status).toBe(201)
  expect(written.at(-1)).toEqual([true, true])
  expect(await read(path)).toHaveProperty('posts.2', { id: 3, title: 'c' })
})

describe.each(['FileSync', 'FileAsync', 'Memory'])("a router over a user's own lowdb 1 with %s", (name) => {
  async function open(): Promise<{ db: ChainDb; path: string; api: RestRouter; base: string }> {
    const path = await file()
    const made = await low(adapter(name, path))
    const db = name === 'Memory' ? made.setState(rows()) : made
    const api = router(db)
    return { db, path, api, base: await serving(create().use(api)) }
  }

  it('is that database, with the methods of lodash-id', async () => {
    const { api, db } = await open()
    expect(api.db).toBe(db)
    expect(db.get('posts').getById(2).value()).toEqual({ id: 2, title: 'b' })
    expect(router(db).db).toBe(db)
  })

  it('serves its state live', async () => {
    const { db, base } = await open()
    expect(await get(`${base}/posts/3`)).toEqual({})
    await db.get('posts').push({ id: 3 }).write()
    expect(await get(`${base}/posts/3`)).toEqual({ id: 3 })
    db.setState({ notes: [{ id: 1 }] })
    expect(await get(`${base}/db`)).toEqual({ notes: [{ id: 1 }] })
    expect(await get(`${base}/notes/1`)).toEqual({ id: 1 })
  })

  it('saves what comes over HTTP through its write()', async () => {
    const { db, path, base } = await open()
    const state = db.getState()
    const made = await Promise.all([1, 2, 3].map(() => fetch(`${base}/posts`, json('POST', {}))))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    await fetch(`${base}/posts/1`, { method: 'DELETE' })
    expect(db.getState()).toBe(state)
    expect(db.get('posts').map('id').value()).toEqual([2, 3, 4, 5])
    expect(await read(path)).toEqual(name === 'Memory' ? rows() : state)
  })

  it('minds its id and its createId', async () => {
    const { db, base } = await open()
    db._.id = 'key'
    db._.mixin({ createId: () => 'k1' })
    expect(await get(`${base}/posts`, json('POST', {}))).toEqual({ key: 'k1' })
    expect(await get(`${base}/posts/k1`)).toEqual({ key: 'k1' })
  })

  it('changes nothing when its write() fails', async () => {
    catchConsole('error')
    const { db, base } = await open()
    db.write = () => {
      throw new Error('full')
    }
    const refused = await fetch(`${base}/posts`, json('POST', {}))
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'WRITE_FAILED' }])
    expect(db.get('posts').size().value()).toBe(2)
  })
})

describe('router.render', () => {
  it('gets every answer but /db, the 404 among them', async () => {
    const api = router(rows())
    api.render = (req, res) =>
      void res.jsonp({ path: req.path, status: res.statusCode, data: res.locals.data })
    const base = await serving(create().use(api))
    expect(await get(`${base}/posts/1`)).toEqual({
      path: '/posts/1',
      status: 200,
      data: { id: 1, title: 'a' },
    })
    expect(await get(`${base}/posts/9`)).toEqual({ path: '/posts/9', status: 404, data: {} })
    expect(await get(`${base}/nothing`)).toEqual({ path: '/nothing', status: 404, data: {} })
    expect(await get(`${base}/posts`, json('POST', {}))).toEqual({
      path: '/posts',
      status: 201,
      data: { id: 3 },
    })
    expect(await get(`${base}/db`)).toMatchObject({ profile: { name: 'me' } })
  })

  it('may be asynchronous, and set a status of its own', async () => {
    const api = router(rows())
    api.render = async (_req, res) => {
      await Promise.resolve()
      res.status(418).jsonp(Object.keys(res.locals.data))
    }
    const response = await fetch(`${await serving(create().use(api))}/posts/1`)
    expect([response.status, await response.json()]).toEqual([418, ['id', 'title']])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('secret')
      },
    ],
  ])('that %s is an error without a stack', async (_, render) => {
    catchConsole('error')
    const api = router(rows())
    api.render = render
    const response = await fetch(`${await serving(create().use(api))}/posts/1`)
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'INTERNAL_ERROR' }])
  })

  it.each<[string, RequestInit]>([
    ['/profile', {}],
    ['/posts/1', {}],
    ['/posts', {}],
    ['/posts/1', json('PATCH', {})],
    ['/comments', json('POST', [])],
    ['/posts/2', json('PUT', { title: 'b' })],
  ])('may change what it is given for %s, and the data stays', async (url, init) => {
    const data = rows()
    const api = router(data)
    api.render = (_req, res) => {
      for (const part of [res.locals.data].flat()) for (const key of Object.keys(part)) delete part[key]
      res.jsonp(res.locals.data)
    }
    await fetch((await serving(create().use(api))) + url, init)
    expect(data).toEqual(rows())
  })

  it('serves as before when it is put back', async () => {
    const api = router(rows())
    const { render } = api
    api.render = (_req, res) => void res.jsonp('other')
    const base = await serving(create().use(api))
    expect(await get(`${base}/posts/1`)).toBe('other')
    api.render = render
    expect(await get(`${base}/posts/1`)).toEqual({ id: 1, title: 'a' })
  })
})

describe.each<[string, () => Express]>([
  ['Express 4', express4],
  ['Express 5', express5],
  ['create()', create],
])('a router under a prefix in an app of %s', (_, makeApp) => {
  async function mounted(): Promise<string> {
    const app = makeApp()
    app.use('/api', defaults({ logger: false }), router(rows()))
    app.use('/other', router({ notes: [{ id: 1 }] }))
    return serving(app)
  }

  it('answers there, and nowhere else', async () => {
    const base = await mounted()
    expect(await get(`${base}/api/posts/1`)).toEqual({ id: 1, title: 'a' })
    expect(await get(`${base}/other/notes`)).toEqual([{ id: 1 }])
    expect((await fetch(`${base}/posts/1`)).status).toBe(404)
    expect((await fetch(`${base}/other/posts/1`)).status).toBe(404)
  })

  it('reads queries as json-server does', async () => {
    const base = await mounted()
    expect(await get(`${base}/api/posts?id=1&id=2&_sort=id&_order=DESC`)).toEqual(rows().posts.reverse())
    expect(await get(`${base}/api/posts?id[]=2`)).toEqual([{ id: 2, title: 'b' }])
    const many = Array.from({ length: 60 }, (_, index) => `id=${index}`).join('&')
    expect(await get(`${base}/api/posts?${many}`)).toHaveLength(2)
    expect(await get(`${base}/api/posts/1?_embed=comments`)).toHaveProperty('comments.length', 1)
  })

  it('points into the prefix with Link and Location', async () => {
    const base = await mounted()
    const page = await fetch(`${base}/api/posts?_page=1&_limit=1`)
    expect(page.headers.get('link')).toContain(`<${base}/api/posts?_page=2&_limit=1>; rel="next"`)
    const made = await fetch(`${base}/api/posts`, json('POST', { title: 'c' }))
    expect(made.headers.get('location')).toBe(`${base}/api/posts/3`)
    expect(await get(String(made.headers.get('location')))).toEqual({ title: 'c', id: 3 })
  })

  it('writes, nests, overrides methods and speaks JSONP', async () => {
    const base = await mounted()
    expect(await get(`${base}/api/posts/1/comments`, json('POST', {}))).toEqual({ postId: '1', id: 2 })
    const init = json('POST', { title: 'z' })
    const headers = { ...init.headers, 'x-http-method-override': 'PATCH' }
    expect(await get(`${base}/api/posts/1`, { ...init, headers })).toEqual({ id: 1, title: 'z' })
    expect(await (await fetch(`${base}/api/profile?callback=cb`)).text()).toContain('cb({')
    expect(await get(`${base}/api/posts`, json('POST', { id: 1 }))).toMatchObject({ code: 'DUPLICATE_ID' })
  })

  it('stands behind a rewriter', async () => {
    const app = makeApp()
    app.use(rewriter({ '/v1/*': '/$1', '/:title/by-title': '/posts?title=:title' }), router(rows()))
    const base = await serving(app)
    expect(await get(`${base}/v1/posts?id=2`)).toEqual([{ id: 2, title: 'b' }])
    expect(await get(`${base}/b/by-title?_limit=5`)).toEqual([{ id: 2, title: 'b' }])
  })
})
