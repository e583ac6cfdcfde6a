import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { chainDbOf } from '../../src/compat/chain-db.ts'
import { type ChainDb, create, router } from '../../src/index.ts'
import { catchConsole } from '../support/console.ts'
import { openOnDesk } from '../support/engine/desk.ts'
import { fileOf } from '../support/folder.ts'
import { json, serving } from '../support/http/serving.ts'

const rows = () => ({
  posts: [
    { id: 1, title: 'a', views: 3 },
    { id: 2, title: 'b', views: 5 },
  ],
  profile: { name: 'me' },
})

type Post = { id?: number; title?: string; views?: number; done?: boolean }

const posts = (db: ChainDb) => db.get<Post[]>('posts')

async function file(data: object = rows()): Promise<string> {
  const path = fileOf(data)
  return path
}

const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

describe('router.db', () => {
  it.each<[string, (db: ChainDb) => unknown, unknown]>([
    ['get', (db) => db.get('profile.name').value(), 'me'],
    ['find', (db) => posts(db).find({ title: 'b' }).value(), { id: 2, title: 'b', views: 5 }],
    ['find nothing', (db) => posts(db).find({ title: 'x' }).value(), undefined],
    ['find and get', (db) => posts(db).find({ id: 1 }).get<string>('title').value(), 'a'],
    [
      'filter and map',
      (db) =>
        posts(db)
          .filter((post) => (post.views ?? 0) > 4)
          .map('id')
          .value(),
      [2],
    ],
    ['sortBy and take', (db) => posts(db).sortBy('views').take(1).map('id').value(), [1]],
    ['orderBy', (db) => posts(db).orderBy('id', 'desc').map('id').value(), [2, 1]],
    ['size', (db) => posts(db).size().value(), 2],
    ['has', (db) => db.has('posts').value(), true],
    ['keys', (db) => db.keys().value(), ['posts', 'profile']],
    ['getById with a number', (db) => posts(db).getById(2).get<string>('title').value(), 'b'],
    ['getById with a text', (db) => posts(db).getById('2').get<string>('title').value(), 'b'],
    ['createId', (db) => posts(db).createId().value(), 3],
    ['value', (db) => db.value(), rows()],
    ['getState', (db) => db.getState(), rows()],
  ])('reads by %s', (_, ask, expected) => {
    expect(ask(router(rows()).db)).toEqual(expected)
  })

  it.each<[string, (db: ChainDb) => Promise<unknown>, unknown, object]>([
    [
      'push',
      (db) => posts(db).push({ id: 9 }).write(),
      [...rows().posts, { id: 9 }],
      { posts: [...rows().posts, { id: 9 }] },
    ],
    [
      'insert',
      (db) => posts(db).insert({ title: 'c' }).write(),
      { id: 3, title: 'c' },
      { posts: [...rows().posts, { title: 'c', id: 3 }] },
    ],
    [
      'upsert of a new row',
      (db) => posts(db).upsert({ title: 'c' }).write(),
      { id: 3, title: 'c' },
      { posts: [...rows().posts, { title: 'c', id: 3 }] },
    ],
    [
      'upsert of an old row',
      (db) => posts(db).upsert({ id: 2, title: 'c' }).write(),
      { id: 2, title: 'c' },
      { posts: [rows().posts[0], { id: 2, title: 'c' }] },
    ],
    [
      'updateById',
      (db) => posts(db).updateById(1, { done: true }).write(),
      { ...rows().posts[0], done: true },
      { posts: [{ ...rows().posts[0], done: true }, rows().posts[1]] },
    ],
    [
      'updateWhere',
      (db) => posts(db).updateWhere({ views: 5 }, { done: true }).write(),
      [{ ...rows().posts[1], done: true }],
      { posts: [rows().posts[0], { ...rows().posts[1], done: true }] },
    ],
    [
      'replaceById',
      (db) => posts(db).replaceById(1, { title: 'z' }).write(),
      { title: 'z', id: 1 },
      { posts: [{ title: 'z', id: 1 }, rows().posts[1]] },
    ],
    ['removeById', (db) => posts(db).removeById(1).write(), rows().posts[0], { posts: [rows().posts[1]] }],
    [
      'removeWhere',
      (db) => posts(db).removeWhere({ views: 3 }).write(),
      [rows().posts[0]],
      { posts: [rows().posts[1]] },
    ],
    ['remove', (db) => posts(db).remove({ id: 1 }).write(), [rows().posts[0]], { posts: [rows().posts[1]] }],
    [
      'find and assign',
      (db) => posts(db).find({ id: 1 }).assign({ title: 'z' }).write(),
      { ...rows().posts[0], title: 'z' },
      { posts: [{ ...rows().posts[0], title: 'z' }, rows().posts[1]] },
    ],
    [
      'set',
      (db) => db.set('profile.name', 'you').write(),
      { ...rows(), profile: { name: 'you' } },
      { profile: { name: 'you' } },
    ],
    [
      'set of a new collection',
      (db) => db.set('tags', [{ id: 1 }]).write(),
      { ...rows(), tags: [{ id: 1 }] },
      { tags: [{ id: 1 }] },
    ],
    [
      'update',
      (db) => db.update('profile.visits', () => 1).write(),
      { ...rows(), profile: { name: 'me', visits: 1 } },
      { profile: { name: 'me', visits: 1 } },
    ],
    ['unset', (db) => db.unset('profile').write(), true, { profile: undefined }],
    ['defaults', (db) => db.defaults({ posts: [], tags: [] }).write(), { ...rows(), tags: [] }, { tags: [] }],
  ])('writes by %s: into the file, and served at once', async (_, change, value, part) => {
    const path = await file()
    const api = router(path)
    const base = await serving(create().use(api))
    expect(await (await fetch(`${base}/db`)).json()).toEqual(rows())
    expect(await change(api.db)).toEqual(value)
    expect(await read(path)).toEqual(JSON.parse(JSON.stringify({ ...rows(), ...part })))
    expect(await (await fetch(`${base}/db`)).json()).toEqual(await read(path))
  })

  it('refuses an id that is taken, as lodash-id does', () => {
    expect(() => posts(router(rows()).db).insert({ id: 1 }).value()).toThrow('Insert failed, duplicate id')
  })

  it('serves a state that was set at once, and saves it with the next write', async () => {
    const path = await file()
    const api = router(path)
    const base = await serving(create().use(api))
    expect((await fetch(`${base}/posts/1`)).status).toBe(200)
    expect(api.db.setState({ notes: [{ id: 7 }] })).toBe(api.db)
    expect(await (await fetch(`${base}/notes`)).json()).toEqual([{ id: 7 }])
    expect((await fetch(`${base}/posts/1`)).status).toBe(404)
    expect(await read(path)).toEqual(rows())
    await api.db.write()
    expect(await read(path)).toEqual({ notes: [{ id: 7 }] })
    expect(api.db.get('notes').size().value()).toBe(1)
  })

  it('serves the very object that was set, and leaves the one before as it was', async () => {
    const data = rows()
    const api = router(data)
    const before = api.db.getState()
    const state = { posts: [{ id: 5 }] }
    api.db.setState(state)
    state.posts.push({ id: 6 })
    const base = await serving(create().use(api))
    expect(await (await fetch(`${base}/posts`)).json()).toEqual([{ id: 5 }, { id: 6 }])
    expect((await fetch(`${base}/posts`, json('POST', {}))).status).toBe(201)
    api.db.setState(before)
    expect(await (await fetch(`${base}/posts`)).json()).toEqual(rows().posts)
  })

  it('keeps references alive through writes over HTTP', async () => {
    const api = router(await file())
    const held = posts(api.db)
    const array = held.value()
    const base = await serving(create().use(api))
    await fetch(`${base}/posts`, json('POST', { title: 'c' }))
    await fetch(`${base}/posts/1`, { method: 'DELETE' })
    expect(array.map(({ id }) => id)).toEqual([2, 3])
    expect(held.size().value()).toBe(2)
  })

  it('takes over what the file holds now', async () => {
    const path = await file()
    const { db } = router(path)
    await writeFile(path, '{"notes":[{"id":1}]}')
    expect(db.read()).toBe(db)
    expect(db.get('notes').value()).toEqual([{ id: 1 }])
  })

  it('tells those who wait that a write failed, and the log', async () => {
    const written = catchConsole('error')
    const path = await file()
    const { db } = router(path)
    await rm(join(path, '..'), { recursive: true })
    await expect(db.get('posts').push({}).write()).rejects.toThrow('could not be written')
    await vi.waitFor(() => expect(written).toHaveLength(1))
  })
})

describe('router.db._', () => {
  it('lends its id to the API: rows are found and made by another key', async () => {
    const data = { posts: [{ _id: 1, id: 9 }] }
    const api = router(data)
    api.db._.id = '_id'
    const base = await serving(create().use(api))
    expect(await (await fetch(`${base}/posts/1`)).json()).toEqual({ _id: 1, id: 9 })
    const made = await fetch(`${base}/posts`, json('POST', { title: 'b' }))
    expect(await made.json()).toEqual({ title: 'b', _id: 2 })
    expect(made.headers.get('location')).toBe(`${base}/posts/2`)
    expect(api.db.get('posts').getById(2).value()).toEqual({ title: 'b', _id: 2 })
    expect(api.db._.id).toBe('_id')
  })

  it('changes the key of rows that were read before, too', async () => {
    const api = router({ posts: [{ id: 1, key: 'a' }] })
    const base = await serving(create().use(api))
    const statuses = () =>
      Promise.all([1, 'a'].map(async (key) => (await fetch(`${base}/posts/${key}`)).status))
    for (let times = 0; times < 3; times++) expect(await statuses()).toEqual([200, 404])
    api.db._.id = 'key'
    expect(await statuses()).toEqual([404, 200])
  })

  it('lends its createId to the API, called as a method with the rows and the new one', async () => {
    const api = router(rows())
    const seen: unknown[] = []
    api.db._.mixin({
      createId(this: { id: string }, collection: unknown[], row: object) {
        seen.push([this.id, collection.length, row])
        return `post-${collection.length + 1}`
      },
    })
    const base = await serving(create().use(api))
    expect(await (await fetch(`${base}/posts`, json('POST', { title: 'c' }))).json()).toEqual({
      title: 'c',
      id: 'post-3',
    })
    const bulk = await fetch(`${base}/posts`, json('POST', [{}, {}]))
    expect(await bulk.json()).toEqual([{ id: 'post-4' }, { id: 'post-5' }])
    expect(seen[0]).toEqual(['id', 2, { title: 'c' }])
    expect(api.db.get('posts').insert({}).value()).toEqual({ id: 'post-6' })
  })

  it.each<[string, (data: object) => Promise<string | object> | object]>([
    ['an object', (data) => data],
    ['a file', file],
  ])('asks a createId that counts in the data of %s once for each new row', async (_, sourceOf) => {
    const api = router(await sourceOf({ posts: [], drafts: [], counter: { last: 0 } }))
    const createId = () => ++api.db.get<{ last: number }>('counter').value().last
    api.db._.mixin({ createId })
    const base = await serving(create().use(api))
    const post = async (path: string, body: object): Promise<{ id: number }> =>
      JSON.parse(await (await fetch(`${base}/${path}`, json('POST', body))).text())
    expect([await post('posts', {}), await post('posts', [{}, {}])]).toEqual([
      { id: 1 },
      [{ id: 2 }, { id: 3 }],
    ])
    const together = await Promise.all(['posts', 'drafts', 'posts'].map((path) => post(path, {})))
    expect(together.toSorted((a, b) => a.id - b.id)).toEqual([{ id: 4 }, { id: 5 }, { id: 6 }])
    expect(await (await fetch(`${base}/counter`)).json()).toEqual({ last: 6 })
  })

  it('makes a change of many rows again as fast as the first time', async () => {
    const data = {
      posts: Array.from({ length: 50_000 }, (_, at) => ({ id: `a${at}` })),
      counter: { last: 0 },
    }
    const api = router(data)
    let counter = { last: 0 }
    api.db._.mixin({ createId: () => `b${++counter.last}` })
    const base = await serving(create().use(api))
    const took = async () => {
      const start = performance.now()
      const rows = Array.from({ length: 1000 }, () => ({}))
      expect((await fetch(`${base}/posts`, json('POST', rows))).status).toBe(201)
      return performance.now() - start
    }
    await took()
    const once = await took()
    data.counter.last = counter.last
    counter = data.counter
    expect(await took()).toBeLessThan(10 * once + 200)
  })

  it('asks its createId again if the id was taken meanwhile', async () => {
    const data: { posts: Post[] } = { posts: [] }
    const api = router(data)
    let last = 0
    api.db._.mixin({
      createId() {
        // Whoever was asked before us took the same one.
        if (++last === 1) data.posts.push({ id: 1, title: 'own' })
        return last
      },
    })
    const base = await serving(create().use(api))
    expect(await (await fetch(`${base}/posts`, json('POST', {}))).json()).toEqual({ id: 2 })
    expect(data.posts).toEqual([{ id: 1, title: 'own' }, { id: 2 }])
  })

  it('makes no id that a change being saved has made', async () => {
    const { engine, desk } = openOnDesk({ posts: [{ id: 1 }], others: [{ id: 1 }] })
    const db = chainDbOf(engine)
    await engine.catchUp()
    let finish = () => {}
    desk.gate = new Promise((resolve) => {
      finish = resolve
    })
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{}, {}] })
    await vi.waitFor(() => expect(desk.isSaving).toBe(true))
    expect(posts(db).insert({ title: 'own' }).value()).toEqual({ id: 4, title: 'own' })
    expect(db.get('others').insert({}).value()).toEqual({ id: 2 })
    finish()
    expect(await written).toEqual([{ id: 2 }, { id: 3 }])
    await db.write()
    expect(
      JSON.parse(desk.saved)
        .posts.map(({ id }: Post) => id)
        .toSorted(),
    ).toEqual([1, 2, 3, 4])
    posts(db).remove({ id: 4 }).value()
    expect(posts(db).insert({}).value()).toEqual({ id: 4 })
  })

  it('takes methods for the chain of this database, and of no other', () => {
    const { db } = router(rows())
    db._.mixin({ second: (list: unknown[]) => list[1] })
    const chain: unknown = db.get('posts')
    expect(chain).toHaveProperty('second')
    expect(router(rows()).db.get('posts')).not.toHaveProperty('second')
  })
})
