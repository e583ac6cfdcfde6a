import { expect, it, onTestFinished, vi } from 'vitest'
import type { Change } from '../../../src/storage/change.ts'
import type { Database } from '../../../src/storage/data/database.ts'
import { type CommitOptions, MemoryStore, type News, type Store } from '../../../src/storage/data/store.ts'
import { Engine } from '../../../src/storage/engine/engine.ts'
import { readRows } from '../../../src/storage/engine/read-rows.ts'
import { liveDataOf, openLive } from '../../../src/storage/live/live-data.ts'
import type { Data, Row } from '../../../src/storage/types.ts'
import { Pace } from '../../../src/util/pace.ts'
import { Desk, openOnDesk } from '../../support/engine/desk.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const PATCH: Change = { kind: 'merge', collection: 'posts', id: '2', fields: { title: 'changed' } }
const DELETE: Change = { kind: 'remove', collection: 'posts', id: '2' }

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

it.each([0, 1, 2])(
  'loses neither what the owner does during a save nor what is saved, with %i reads meanwhile',
  async (reads) => {
    const data: { posts: Row[] } = { posts: [{ id: 1, title: 'a' }] }
    const store = new SlowStore()
    const engine = openLive({ data }, { ...NAMING, store })
    const written = engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'saved' }] })
    await store.begun
    data.posts.unshift({ id: 9, title: 'own' })
    const readings = Array.from({ length: reads }, () => titles(engine))
    // What was read has the owner's change, and waits for the save, if need be.
    setImmediate(() => store.finish())
    await written
    for (const found of await Promise.all(readings)) expect(found).toContain('own')
    const all = ['own', 'a', 'saved']
    expect(
      [await titles(engine), data.posts.map(({ title }) => title)].map((found) => found.toSorted()),
    ).toEqual([all.toSorted(), all.toSorted()])
  },
)

const own = { id: 9, title: 'own' }

it.each<[string, (posts: Row[]) => void, Change, string[]]>([
  ['a change of another row', (posts) => posts.unshift(own), PATCH, ['own', 'a', 'changed', 'c']],
  ['a removal of another row', (posts) => posts.unshift(own), DELETE, ['own', 'a', 'c']],
  [
    'a change, as many rows as there were',
    (posts) => posts.splice(0, 1, own),
    PATCH,
    ['own', 'changed', 'c'],
  ],
  ['a change, moved rows', (posts) => posts.reverse(), PATCH, ['c', 'changed', 'a']],
  ['a change of what was replaced since', (posts) => posts.splice(1, 1, own), PATCH, ['a', 'own', 'c']],
  ['a change of what was removed since', (posts) => posts.splice(1, 1), PATCH, ['a', 'c']],
  [
    'a change of what an equal copy has replaced since',
    (posts) => posts.splice(1, 1, { ...posts[1] }),
    PATCH,
    ['a', 'changed', 'c'],
  ],
  [
    'an insert in place of the last row, which an equal copy has replaced since',
    (posts) => posts.splice(2, 1, { ...posts[2] }),
    {
      kind: 'batch',
      changes: [
        { kind: 'remove', collection: 'posts', id: '3' },
        { kind: 'insert', collection: 'posts', rows: [{ id: 4, title: 'd' }] },
      ],
    },
    ['a', 'b', 'd'],
  ],
  [
    'a removal of what a copy has replaced since',
    (posts) => posts.splice(1, 1, { ...posts[1], title: 'own' }),
    DELETE,
    ['a', 'c'],
  ],
  [
    'an insert, the very same row',
    (posts) => posts.push({ id: 4, title: 'd' }),
    { kind: 'insert', collection: 'posts', rows: [{ id: 4, title: 'd' }] },
    ['a', 'b', 'c', 'd'],
  ],
  [
    'an insert, another row with its id',
    (posts) => posts.push({ id: 4, title: 'own' }),
    { kind: 'insert', collection: 'posts', rows: [{ id: 4, title: 'd' }] },
    ['a', 'b', 'c', 'd', 'own'],
  ],
  [
    'a change, another id of the same row',
    (posts) => Object.assign(posts[1] ?? {}, { id: 9 }),
    PATCH,
    ['a', 'changed', 'c'],
  ],
])(
  'during a save of %s, the owner changes rows and no other is written',
  async (_, act, change, expected) => {
    const data: { posts: Row[] } = { posts: ['a', 'b', 'c'].map((title, at) => ({ id: at + 1, title })) }
    const store = new SlowStore()
    const engine = openLive({ data }, { ...NAMING, store })
    const written = engine.write(change)
    await store.begun
    act(data.posts)
    store.finish()
    await written
    expect(data.posts.map(({ title }) => title)).toEqual(expected)
    expect(await titles(engine)).toEqual(expected)
  },
)

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

type Owned = { posts: Row[]; profile: Row }

it.each<[string, Change, (data: Owned) => void, Owned]>([
  [
    'a row',
    { kind: 'merge', collection: 'posts', id: '1', fields: { title: 'changed', tags: { a: 2 } } },
    ({ posts: [post] }) => Object.assign(post ?? {}, { note: 'own', tags: { a: 1, b: 2 } }),
    { posts: [{ id: 1, title: 'changed', tags: { a: 2 }, note: 'own' }], profile: { name: 'me', age: 1 } },
  ],
  [
    'a row, whose owner makes it again,',
    { kind: 'merge', collection: 'posts', id: '1', fields: { title: 'changed' } },
    (data) => Object.assign(data, { posts: [{ id: 1, title: 'a', tags: { a: 2 } }] }),
    { posts: [{ id: 1, title: 'changed', tags: { a: 2 } }], profile: { name: 'me', age: 1 } },
  ],
  [
    'an object',
    { kind: 'merge-object', name: 'profile', fields: { name: 'changed' } },
    ({ profile }) => Object.assign(profile, { note: 'own', age: 2 }),
    {
      posts: [{ id: 1, title: 'a', tags: { a: 1, b: 1 } }],
      profile: { name: 'changed', age: 2, note: 'own' },
    },
  ],
])('has what a save changes of %s, and other fields as its owner changed them meanwhile', async (...args) => {
  const [, change, act, expected] = args
  const data: Owned = {
    posts: [{ id: 1, title: 'a', tags: { a: 1, b: 1 } }],
    profile: { name: 'me', age: 1 },
  }
  const store = new SlowStore()
  const engine = openLive({ data }, { ...NAMING, store })
  const written = engine.write(change)
  await store.begun
  act(data)
  store.finish()
  await written
  expect(data).toEqual(expected)
  expect((await engine.read({ kind: 'database' })).found).toEqual(expected)
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

it('serves what the owner adds in any pause of a save', async () => {
  vi.spyOn(Pace.prototype, 'isDue', 'get').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  let pauses = 1
  for (let chosen = 1; chosen <= pauses; chosen++) {
    const data: { posts: Row[]; profile: Row } = { posts: [{ id: 1, title: 'a' }], profile: {} }
    const engine = openLive({ data }, NAMING)
    pauses = 0
    vi.spyOn(Pace.prototype, 'turn').mockImplementation(async () => {
      if (++pauses === chosen) data.posts.push({ id: 2, title: 'own' })
    })
    await engine.write({ kind: 'merge-object', name: 'profile', fields: { name: 'me' } })
    vi.spyOn(Pace.prototype, 'turn').mockImplementation(async () => {})
    expect([data.profile, await titles(engine)], `in pause ${chosen}`).toEqual([{ name: 'me' }, ['a', 'own']])
  }
})

it('lets others go on while many rows are compared and copied', async () => {
  const data = { posts: Array.from({ length: 5000 }, (_, id) => ({ id, title: 'a' })) }
  const engine = openLive({ data }, NAMING)
  let time = 0
  vi.spyOn(Date, 'now').mockImplementation(() => time++)
  const turn = vi.spyOn(Pace.prototype, 'turn')
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await titles(engine)).length).toBe(5000)
  const compared = turn.mock.calls.length
  for (const post of data.posts) post.title = 'b'
  expect((await titles(engine)).at(-1)).toBe('b')
  expect([compared, turn.mock.calls.length - compared].every((turns) => turns > 0)).toBe(true)
  // Each row may take long.
  expect(turn.mock.calls.length).toBeGreaterThan(5000 / 50)
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
  #stored: News | undefined
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

  override async news(since: number): Promise<News | undefined> {
    return this.#version > since ? this.#stored : undefined
  }

  override async hasNews(since: number): Promise<boolean> {
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

it('saves all that the owner changed, though a read of some of it came first', async () => {
  const { engine, desk } = openOnDesk({ a: [{ id: 1 }], b: [{ id: 1 }] })
  const live = liveDataOf(engine)
  await engine.catchUp()
  for (const rows of Object.values(live.data)) (rows as Row[]).push({ id: 2 })
  await Promise.all([live.save(), engine.catchUp(() => ['a'])])
  expect(JSON.parse(desk.saved)).toEqual(live.data)
})

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

it('has no second copy of the rows of an edited file, for a reset', async () => {
  const { engine, desk } = openOnDesk({ posts: [{ id: 1, title: 'a' }, { id: 2 }] })
  liveDataOf(engine)
  await engine.catchUp()
  desk.edit({ posts: [{ id: 1, title: 'edited' }, { id: 2 }] })
  await engine.refresh()
  const rowsOf = (database: Database) => database.table('posts')?.rows.items() ?? []
  const restored = rowsOf(engine.origin)
  expect(restored).toEqual([{ id: 1, title: 'edited' }, { id: 2 }])
  for (const [at, row] of rowsOf(engine.database).entries()) expect(restored[at]).toBe(row)
})

it.each<[string, (desk: Desk, reload: () => void) => void]>([
  [
    'before',
    (desk, reload) =>
      vi.spyOn(desk, 'write').mockImplementation(async (database) => {
        reload()
        await Desk.prototype.write.call(desk, database)
      }),
  ],
  [
    'after',
    (desk, reload) =>
      vi.spyOn(desk, 'write').mockImplementation(async (database) => {
        await Desk.prototype.write.call(desk, database)
        reload()
      }),
  ],
])('is read again %s its file was written, and has each row once, as it was saved', async (_, interrupt) => {
  onTestFinished(() => void vi.restoreAllMocks())
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

it('has both rows with an id that was free again, of a client and of its owner at the same time', async () => {
  const { engine, desk } = openOnDesk({ posts: [{ id: 1, title: 'a' }] })
  const posts = liveDataOf(engine).data.posts as Row[]
  await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
  const save = vi.spyOn(desk, 'write').mockImplementation(async (database) => {
    posts.push({ id: 1, title: 'own' })
    save.mockRestore()
    await desk.write(database)
  })
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'saved' }] })
  expect(posts.map(({ title }) => title)).toEqual(['saved', 'own'])
  expect(await titles(engine)).toEqual(['saved', 'own'])
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
  const isDue = vi.spyOn(Pace.prototype, 'isDue', 'get').mockReturnValue(true)
  onTestFinished(() => isDue.mockRestore())
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

it('has each row once, though it was sorted, reset, and copied by its owner meanwhile', async () => {
  const data: { posts: Row[] } = { posts: ['a', 'b', 'c'].map((title, at) => ({ id: at + 1, title })) }
  const store = new SlowStore()
  const engine = openLive({ data }, { ...NAMING, store })
  data.posts.reverse()
  await titles(engine)
  const reset = engine.reset()
  await store.begun
  data.posts = structuredClone(data.posts)
  store.finish()
  await reset
  expect(await titles(engine)).toEqual(['c', 'b', 'a'])
  expect(data.posts.map(({ title }) => title)).toEqual(['c', 'b', 'a'])
})

it('keeps what its owner changes while rules make all rows again, though it was asked for in between', async () => {
  const isDue = vi.spyOn(Pace.prototype, 'isDue', 'get').mockReturnValue(true)
  onTestFinished(() => isDue.mockRestore())
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

it.each<[string, (engine: Engine) => Promise<unknown>]>([
  ['a refresh', (engine) => engine.refresh()],
  ['a change', (engine) => engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })],
])('saves what its owner added while %s reads an edited file', async (_, act) => {
  for (let ticks = 0; ticks < 30; ticks++) {
    const { engine, desk } = openOnDesk({ posts: [{ id: 1 }] })
    const live = liveDataOf(engine)
    await engine.catchUp()
    desk.edit({ posts: [{ id: 1, title: 'edited' }] })
    const acted = act(engine)
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
    ;(live.data.posts as Row[]).push({ id: 'own' })
    await Promise.all([live.save(), acted])
    expect(desk.saved, `after ${ticks} ticks`).toContain('own')
  }
})
