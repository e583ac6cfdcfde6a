import { describe, expect, it } from 'vitest'
import { MemoryStore, type Store } from '../../../src/core/engine/data/store.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Access, Right } from '../../../src/core/engine/rules/rights.ts'
import { StorageError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { type ChangeEvent, Feed } from '../../../src/core/kernel/util/feed.ts'
import { emitChanges, missedChanges, readableChange } from '../../../src/core/serve/service/emit-changes.ts'

/** An engine whose store takes writes, and cannot tell now and then whether others wrote. */
function open() {
  const away = { isAway: false }
  const failure = () => new StorageError('SOURCE_UNAVAILABLE', 'The database cannot be reached.')
  const store: Store = Object.assign(new MemoryStore(), {
    hasNews: () => (away.isAway ? Promise.reject(failure()) : undefined),
  })
  const past = { base: 7, bottom: 7, commits: [] }
  const data = { posts: [{ id: 1, userId: 1 }], profile: {} }
  const engine = new Engine(data, { id: 'id', foreignKeySuffix: 'Id', store, past })
  const feed = new Feed()
  const heard: ChangeEvent[] = []
  feed.listen({ onEvent: (event) => event.type === 'change' && heard.push(event), end() {} })
  emitChanges(engine, feed)
  const write = () => engine.write({ kind: 'insert', collection: 'posts', rows: [{ userId: 1 }] })
  return { engine, away, heard, write }
}

const resourcesOf = (events: readonly ChangeEvent[] | undefined) =>
  events?.map(({ version, data }) => [version, data.resources])

describe('a change whose rows cannot be counted', () => {
  it('is told without a count, in its turn', async () => {
    const { away, heard, write } = open()
    for (const [at, isAway] of [false, true, false].entries()) {
      away.isAway = isAway
      await write()
      await expect.poll(() => heard).toHaveLength(at + 1)
    }
    expect(resourcesOf(heard)).toEqual([
      [8, [{ name: 'posts', count: 2 }]],
      [9, [{ name: 'posts' }]],
      [10, [{ name: 'posts', count: 4 }]],
    ])
  })

  it('is told without any count to those who see rows of their own only', async () => {
    const { engine, away, heard, write } = open()
    await write()
    await expect.poll(() => heard).toHaveLength(1)
    const own: Right = { reach: 'some', isForOwner: true, via: [], rule: 'owner', needsLogin: false }
    const rights = { read: own, create: own, update: own, delete: own, owner: 'userId', fixed: [] }
    const access: Access = { key: 'a', user: '1', isAdmin: false, resources: {}, others: rights }
    const [event] = heard
    if (!event) throw new Error('Nothing was heard.')
    away.isAway = true
    expect((await readableChange(engine, event, access))?.data.resources).toEqual([{ name: 'posts' }])
    away.isAway = false
    expect((await readableChange(engine, event, access))?.data.resources).toEqual([
      { name: 'posts', count: 2 },
    ])
  })
})

describe('changes that somebody missed', () => {
  it('are told with the count of then, though others wrote since', async () => {
    const { engine, write } = open()
    for (let turn = 0; turn < 3; turn++) await write()
    await engine.write({ kind: 'remove', collection: 'posts', id: '1' })
    await engine.write({ kind: 'merge-object', name: 'profile', fields: { a: 1 } })
    const missing = missedChanges(engine, 8)
    await write()
    const { events, version } = await missing
    const counts = [
      [{ name: 'posts', count: 3 }],
      [{ name: 'posts', count: 4 }],
      [{ name: 'posts', count: 3 }],
    ]
    expect(events?.slice(0, 4).map(({ data }) => data.resources)).toEqual([...counts, [{ name: 'profile' }]])
    expect(events?.at(-1)?.version).toBe(version)
  })

  it('cannot be told while nobody knows what others wrote', async () => {
    const { engine, away, write } = open()
    await write()
    away.isAway = true
    await expect(missedChanges(engine, 7)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  })

  it('are gone where everything was replaced since', async () => {
    const { engine, write } = open()
    await write()
    await engine.reset()
    expect(await missedChanges(engine, 8)).toEqual({ events: undefined, version: 9 })
    expect(await missedChanges(engine, 9)).toEqual({ events: [], version: 9 })
  })
})
