import { expect, it } from 'vitest'
import type { Change } from '../../../src/core/engine/change.ts'
import { Database } from '../../../src/core/engine/data/database.ts'
import {
  type CommitOptions,
  type ForeignCommits,
  MemoryStore,
  type Store,
} from '../../../src/core/engine/data/store.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import { readRows } from '../../../src/core/engine/read-rows.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { FileStore } from '../../../src/stores/file/file-store.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { Desk, openOnDesk } from '../../support/engine/desk.ts'
import { pauseOften } from '../../support/engine/pause-often.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const PATCH: Change = { kind: 'merge', collection: 'posts', id: '2', fields: { title: 'changed' } }

type Owner = (data: { posts: Row[]; profile: Row }) => unknown

/** Saves until the test says that it is done. */
class SlowStore extends MemoryStore implements Store {
  #finish = () => {}
  #begin = () => {}
  /** Resolves when the next save has begun, or the one that is not done. */
  begun = this.#next()

  override async commit(change: Parameters<Store['commit']>[0], _options: CommitOptions): Promise<void> {
    await change(undefined)
    const saved = new Promise<void>((resolve) => {
      this.#finish = resolve
    })
    this.#begin()
    await saved
  }

  finish(): void {
    this.begun = this.#next()
    this.#finish()
  }

  #next(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#begin = resolve
    })
  }
}

function titles(engine: Engine): Promise<unknown[]> {
  return readRows(engine, 'posts').then((rows = []) => rows.map(({ title }) => title))
}

it('shows a change in place to all who read together after it', async () => {
  const data = { posts: [{ id: 1, title: 'a' }], profile: { name: 'me' } }
  const engine = openLive({ data }, NAMING)
  for (const title of ['b', 'c']) {
    for (const post of data.posts) post.title = title
    data.profile.name = title
    const [one, other, profile] = await Promise.all([
      titles(engine),
      titles(engine),
      engine.read({ kind: 'object', name: 'profile' }),
    ])
    expect([one, other, profile.found]).toEqual([[title], [title], { name: title }])
  }
})

it.each<[string, Change, Owner]>([
  [
    'inserts, changes and removes rows',
    {
      kind: 'batch',
      changes: [
        { kind: 'insert', collection: 'posts', rows: [{ title: 'd' }] },
        { kind: 'replace', collection: 'posts', id: '1', fields: { note: 'changed' } },
        PATCH,
        { kind: 'remove', collection: 'posts', id: '3' },
        { kind: 'merge-object', name: 'profile', fields: { name: 'you' } },
      ],
    },
    ({ posts }) => posts.unshift({ id: 'own' }),
  ],
  ['replaces everything', { kind: 'replace-database', data: { others: [] } }, (data) => data],
  ['changes a frozen row', PATCH, ({ posts }) => Object.freeze(posts[1])],
])('a change that %s is in the object while it is saved, and gone if that fails', async (_, change, act) => {
  const owned = () => ({
    posts: ['a', 'b', 'c'].map((title, at): Row => ({ id: at + 1, title })),
    profile: {},
  })
  const [data, expected] = [owned(), owned()]
  const desk = new Desk(data)
  const engine = openLive({ data }, { ...NAMING, store: new FileStore(desk, Database.of({})) })
  act(data)
  act(expected)
  let during: unknown
  desk.write = async (database) => {
    during = structuredClone(data)
    expect(data).toEqual(database.toData())
    desk.refuses = true
    await Desk.prototype.write.call(desk, database)
  }
  await expect(engine.write(change)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
  expect(during).not.toEqual(expected)
  expect([data, (await engine.read({ kind: 'database' })).found]).toEqual([expected, expected])
  expect(Object.keys(data.posts[1] ?? {})).toEqual(Object.keys(expected.posts[1] ?? {}))
})

const own = { id: 9, title: 'own' }

class Post {
  id = 1
  title = 'a'
  views = 0
  toJSON() {
    const { id, title, views } = this
    return { views, title, id }
  }
}

it.each([
  ['whose class says what is sent', new Post()],
  [
    'that is sent without its method',
    Object.assign(
      { ...new Post() },
      {
        toJSON() {
          return { ...this }
        },
      },
    ),
  ],
])('a row %s stays the same one, with what its owner changes during a save', async (_, post) => {
  const store = new SlowStore()
  const engine = openLive({ data: { posts: [post as unknown as Row] } }, { ...NAMING, store })
  const written = engine.write({
    kind: 'replace',
    collection: 'posts',
    id: '1',
    fields: { title: 'b', views: 0 },
  })
  await store.begun
  post.views = 7
  store.finish()
  await written
  expect(post).toMatchObject({ title: 'b', views: 7 })
  expect(await readRows(engine, 'posts')).toEqual([{ id: 1, title: 'b', views: 7 }])
})

it('removes one of two equal values, and one of two places of a row, by a reset', async () => {
  const row = { id: 1 }
  const data: { tags: unknown[]; rows: unknown[] } = { tags: ['a', 'b'], rows: [row, { id: 2 }] }
  const engine = openLive({ data }, NAMING)
  data.tags.push('a')
  data.rows.push(row)
  await engine.catchUp()
  await engine.reset()
  expect(data).toEqual({ tags: ['a', 'b'], rows: [{ id: 1 }, { id: 2 }] })
})

it.each([0, 1])(
  'an object that is asked for during a save has what was saved, with %i reads meanwhile',
  async (reads) => {
    const rows = ['gone', 'a', 'b'].map((title, at) => ({ id: at, title }))
    const store = new SlowStore()
    const engine = new Engine({ posts: rows }, { ...NAMING, store })
    const removed = engine.write({ kind: 'remove', collection: 'posts', id: '0' })
    await store.begun
    store.finish()
    await removed
    const written = Promise.all([
      engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'saved' }] }),
      engine.write(PATCH),
    ])
    await store.begun
    const posts = liveDataOf(engine).data.posts as Row[]
    posts.unshift({ ...own })
    const readings = Array.from({ length: reads }, () => titles(engine))
    setImmediate(() => store.finish())
    await written
    await engine.turns.idle()
    expect(posts.map(({ title }) => title).toSorted()).toEqual(['a', 'changed', 'own', 'saved'])
    await Promise.all(readings)
    expect((await titles(engine)).toSorted()).toEqual(['a', 'changed', 'own', 'saved'])
  },
)

/** Stores what others read at once; the one who wrote it hears of it later. */
class SharedStore extends SlowStore {
  #stored: ForeignCommits | undefined
  #version = 0

  override commit(change: Parameters<Store['commit']>[0], options: CommitOptions): Promise<void> {
    return super.commit(async () => {
      const next = await change(await this.news(options.since()))
      if (next) this.put(next.after.toData(), next.commits.at(-1)?.version ?? 0)
      return next
    }, options)
  }

  get content(): unknown {
    return this.#stored?.kind === 'content' && this.#stored.data
  }

  put(data: Data, version: number): void {
    this.#version = version
    this.#stored = { kind: 'content', data, past: { base: version, bottom: version, commits: [] } }
  }

  override async news(since: number): Promise<ForeignCommits | undefined> {
    return this.#version > since ? this.#stored : undefined
  }

  async hasNews(since: number): Promise<boolean> {
    return this.#version > since
  }
}

it('has a row once that is read from the store before its own save has ended', async () => {
  const data: { posts: Row[] } = { posts: [{ id: 1, title: 'a' }] }
  const store = new SharedStore()
  const engine = openLive({ data }, { ...NAMING, store })
  const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'saved' }] })
  await store.begun
  const reading = titles(engine)
  await new Promise(setImmediate)
  store.finish()
  await written
  expect(await reading).toEqual(['a', 'saved'])
  expect(await titles(engine)).toEqual(['a', 'saved'])
  expect(data.posts.map(({ title }) => title)).toEqual(['a', 'saved'])
})

it('has a row of another server once, though the object was asked for a moment ago', async () => {
  const store = new SharedStore()
  const engine = new Engine({ posts: [{ id: 1, title: 'a' }] }, { ...NAMING, store })
  const { data } = liveDataOf(engine)
  const posts = ['a', 'b'].map((title, at) => ({ id: at + 1, title }))
  store.put({ posts }, engine.history.version + 1)
  expect([await titles(engine), await titles(engine)]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  expect(data).toEqual({ posts })
})

it('is put back as a whole, though another server has just written', async () => {
  const data: { posts: Row[] } = { posts: [{ id: 1, title: 'a' }] }
  const store = new SharedStore()
  const engine = openLive({ data }, { ...NAMING, store })
  store.put(
    {
      posts: [
        { id: 1, title: 'b' },
        { id: 2, title: 'c' },
      ],
    },
    engine.history.version + 1,
  )
  const written = engine.write({ kind: 'replace-database', data: { posts: [{ id: 1, title: 'first' }] } })
  await store.begun
  store.finish()
  await written
  expect(data.posts).toEqual([{ id: 1, title: 'first' }])
  expect(await titles(engine)).toEqual(['first'])
})

it.each(Array.from({ length: 16 }, (_, ticks) => ticks))(
  'an object that is asked for while a save takes news over has both, %i ticks after it began',
  async (ticks) => {
    const store = new SharedStore()
    const engine = new Engine({ posts: [{ id: 1, title: 'a' }] }, { ...NAMING, store })
    const news = ['a', 'news'].map((title, at) => ({ id: at + 1, title }))
    store.put({ posts: news }, engine.history.version + 1)
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'saved' }] })
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    const { data } = liveDataOf(engine)
    await store.begun
    store.finish()
    await written
    const all = ['a', 'news', 'saved']
    expect(await titles(engine)).toEqual(all)
    expect((data.posts as Row[]).map(({ title }) => title)).toEqual(all)
  },
)

it('keeps what the owner has not saved when it is read, though the file was edited', async () => {
  const { engine, desk } = openOnDesk({ posts: [{ id: 1, title: 'a' }] })
  const { data } = liveDataOf(engine)
  await engine.catchUp()
  desk.edit({ posts: [{ id: 1, title: 'edited' }] })
  const posts = data.posts as Row[]
  posts.push({ id: 2, title: 'own' })
  expect(await titles(engine)).toEqual(['a', 'own'])
  await engine.refresh()
  expect(await titles(engine)).toEqual(['edited', 'own'])
  expect(posts.map(({ title }) => title)).toEqual(['edited', 'own'])
  await engine.reset()
  expect(await titles(engine)).toEqual(['edited'])
})

it('does not go back to what its owner put in place of what was reloaded, before anybody saw that', async () => {
  const engine = openLive({ data: { posts: [{ id: 1, title: 'first' }] } }, NAMING)
  const live = liveDataOf(engine)
  live.setState({ posts: [{ id: 1, title: 'reloaded' }] }, true)
  live.setState({ posts: [{ id: 2, title: 'own' }] })
  expect(await titles(engine)).toEqual(['own'])
  await engine.reset()
  expect(await titles(engine)).toEqual(['first'])
})

it.each<[string, (desk: Desk, reload: () => void) => void]>([
  [
    'before',
    (desk, reload) => {
      desk.write = async (database) => {
        reload()
        await Desk.prototype.write.call(desk, database)
      }
    },
  ],
  [
    'after',
    (desk, reload) => {
      desk.write = async (database) => {
        await Desk.prototype.write.call(desk, database)
        reload()
      }
    },
  ],
])('is read again %s its file was written, and has each row once, as it was saved', async (_, interrupt) => {
  const { engine, desk } = openOnDesk({ posts: ['a', 'b', 'c'].map((title, at) => ({ id: at + 1, title })) })
  const live = liveDataOf(engine)
  await engine.catchUp()
  interrupt(desk, () => live.reload())
  await engine.write(PATCH)
  await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'd' }] })
  const saved = ['changed', 'c', 'd']
  expect((live.data.posts as Row[]).map(({ title }) => title)).toEqual(saved)
  expect(await titles(engine)).toEqual(saved)
  expect(JSON.parse(desk.saved)).toEqual(live.data)
})

it.each([0, 1])(
  'saves what its owner added, though another server has just written, after %i reads',
  async (reads) => {
    const store = new SharedStore()
    const posts = [{ id: 1, title: 'a' }]
    const engine = new Engine({ posts }, { ...NAMING, store })
    const live = liveDataOf(engine)
    await engine.catchUp()
    ;(live.data.posts as Row[]).push({ ...own })
    for (let read = 0; read < reads; read++) expect(await titles(engine)).toEqual(['a', 'own'])
    store.put({ posts: [...posts, { id: 2, title: 'b' }] }, engine.history.version + 1)
    for (let read = 0; read < reads; read++)
      expect((await titles(engine)).toSorted()).toEqual(['a', 'b', 'own'])
    const saved = live.save()
    await store.begun
    store.finish()
    await saved
    expect((await titles(engine)).toSorted()).toEqual(['a', 'b', 'own'])
    expect(store.content).toEqual(live.data)
  },
)

it('shows a change in place to all who read while another read takes it over', async () => {
  pauseOften()
  const data = { posts: Array.from({ length: 100 }, (_, id) => ({ id, title: 'a', secret: 1 })) }
  const engine = openLive({ data }, NAMING)
  const posts = { hidden: ['secret'] }
  await engine.useRules({ now: () => new Date(0), resources: new Map([['posts', posts]]) })
  data.posts.push({ id: 100, title: 'own', secret: 1 })
  let isOver = false
  const first = titles(engine).finally(() => {
    isOver = true
  })
  const readings = [first]
  while (!isOver) {
    readings.push(titles(engine))
    await new Promise(setImmediate)
  }
  expect(readings.length).toBeGreaterThan(20)
  for (const found of await Promise.all(readings)) expect(found.at(-1)).toBe('own')
})

it('keeps what its owner changes while rules make all rows again, though it was asked for in between', async () => {
  pauseOften()
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, title: 'a', secret: 1 }))
  const engine = new Engine({ posts: rows }, NAMING)
  const posts = { hidden: ['secret'] }
  const ruled = engine.useRules({ now: () => new Date(0), resources: new Map([['posts', posts]]) })
  await new Promise(setImmediate)
  const own = liveDataOf(engine).data.posts as Row[]
  Object.assign(own[5] ?? {}, { title: 'own' })
  await ruled
  expect((await titles(engine))[5]).toBe('own')
  expect(own[5]).toEqual({ id: 5, title: 'own', secret: 1 })
})
