import { expect, it } from 'vitest'
import { readRows } from '../../../src/core/engine/read-rows.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { liveDataOf, openLive } from '../../../src/stores/live/live-data.ts'
import { openOnDesk } from '../../support/engine/desk.ts'
import { pauseOften } from '../../support/engine/pause-often.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }

const three = (): Row[] => [{ id: 1 }, { id: 2 }, { id: 3 }]

/** With a file in memory. */
async function open(data: Data = { posts: three() }) {
  const { engine, desk } = openOnDesk(data)
  const live = liveDataOf(engine)
  await engine.catchUp()
  const posts = () => live.data.posts as Row[]
  return { engine, desk, live, posts, ids: () => posts().map(({ id }) => id) }
}

it('keeps all rows of an owner, also those that an edited file changes', async () => {
  const { engine, desk, posts, ids } = await open()
  const [list, one, two, three] = [posts(), ...posts()]
  desk.edit({ posts: [{ id: 0 }, { id: 1 }, { id: 3, title: 'edited' }, { id: 2 }] })
  await engine.refresh()
  expect(ids()).toEqual([0, 1, 3, 2])
  expect(posts()).toBe(list)
  expect(posts()[1]).toBe(one)
  expect(posts()[3]).toBe(two)
  expect(posts()[2]).toBe(three)
  Object.assign(one ?? {}, { note: 'own' })
  expect((await readRows(engine, 'posts'))?.[1]).toEqual({ id: 1, note: 'own' })
})

it('has a row once that its owner read from an edited file, copied and changed before the edit was taken over', async () => {
  const { engine, desk, live, ids } = await open()
  desk.edit({ posts: [...three(), { id: 4 }] })
  live.reload()
  live.data.posts = (live.data.posts as Row[]).map((row) => ({ ...row, seen: true }))
  await engine.refresh()
  expect(ids()).toEqual([1, 2, 3, 4])
  expect(await readRows(engine, 'posts')).toEqual(live.data.posts)
})

it('saves what its owner did together with an edit of the file that nobody has read yet', async () => {
  const { engine, desk, live, posts } = await open()
  desk.edit({ posts: [...three(), { id: 4 }] })
  posts().push({ id: 9 })
  await live.save()
  expect(JSON.parse(desk.saved).posts.map(({ id }: Row) => id)).toEqual([1, 2, 3, 4, 9])
  expect(await readRows(engine, 'posts')).toEqual(live.data.posts)
})

it('keeps the order of the collections of an edited file', async () => {
  const { engine, desk, live, posts } = await open()
  desk.edit({ first: [], posts: three(), last: {} })
  await engine.refresh()
  posts().push({ id: 8 })
  await live.save()
  expect(Object.keys(JSON.parse(desk.saved))).toEqual(['first', 'posts', 'last'])
})

it.each<[string, (list: unknown) => unknown]>([
  ['frozen', Object.freeze],
  ['sealed', Object.seal],
  ['not extensible', Object.preventExtensions],
])('replaces a list that is %s', async (_, close) => {
  const { engine, live } = await open()
  close(live.data.posts)
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  close(live.data.posts)
  await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
  expect(live.data).toEqual({ posts: [{ id: 2 }, { id: 3 }, { id: 4 }] })
})

it('begins with what a frozen object has, whatever another engine made of that', async () => {
  const data: Data = Object.freeze({ posts: Object.freeze(three()) })
  for (const _ of ['one', 'other']) {
    const engine = openLive({ data }, NAMING)
    await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
    expect(await readRows(engine, 'posts')).toEqual([...three(), { id: 4 }])
  }
})

it('takes changes of an object and its lists that throw if they are changed', async () => {
  const refuse = () => {
    throw new Error('This cannot be changed.')
  }
  const shut = { set: refuse, defineProperty: refuse, deleteProperty: refuse }
  const data: Data = { posts: new Proxy(three(), shut), tags: [] }
  const engine = openLive({ data: new Proxy(data, shut) }, NAMING)
  await engine.write({ kind: 'insert', collection: 'posts', rows: [{}] })
  await engine.write({ kind: 'replace-database', data: { posts: [{ id: 7 }] } })
  expect(liveDataOf(engine).data).toEqual({ posts: [{ id: 7 }] })
  expect(await readRows(engine, 'posts')).toEqual([{ id: 7 }])
  expect(data).toEqual({ posts: three(), tags: [] })
})

it('gets each id once, though two engines serve it', async () => {
  const data = { posts: three() }
  const engines = [openLive({ data }, NAMING), openLive({ data }, NAMING)]
  pauseOften()
  const insert = { kind: 'insert', collection: 'posts', rows: [{}] } as const
  const writes = Array.from({ length: 10 }, () => engines.map((engine) => engine.write(insert)))
  await Promise.all(writes.flat())
  expect(data.posts.map(({ id }) => id)).toEqual(Array.from({ length: 23 }, (_, at) => at + 1))
})

it('gets no second row with an id by an undo of one engine, if another has used that again', async () => {
  const data = { posts: three() }
  const [one, other] = [openLive({ data }, NAMING), openLive({ data }, NAMING)]
  await one.write({ kind: 'remove', collection: 'posts', id: '3' })
  await other.write({ kind: 'insert', collection: 'posts', rows: [{ title: 'other' }] })
  const undone = one.write({ kind: 'move', direction: 'undo' })
  await expect(undone).rejects.toMatchObject({ code: 'UNDO_CONFLICT' })
  expect(data.posts).toEqual([{ id: 1 }, { id: 2 }, { title: 'other', id: 3 }])
})
