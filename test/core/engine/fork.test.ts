import { describe, expect, it } from 'vitest'
import type { Commit } from '../../../src/core/engine/data/store.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { ListQuery, Row } from '../../../src/core/engine/types.ts'
import { liveDataOf } from '../../../src/stores/live/live-data.ts'
import { countReads } from '../../support/engine/count-reads.ts'
import { plainSelect } from '../../support/model/plain-select.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
const OF_GROUP_5: ListQuery = { ...ALL, where: [{ path: 'group', op: 'eq', values: ['5'] }] }

function open(count = 1000): Engine {
  const items = Array.from({ length: count }, (_, at) => ({ id: at + 1, group: at % 50, deep: { n: at } }))
  return new Engine({ items, single: { deep: { n: 1 } } }, NAMING)
}

async function row(engine: Engine, id: number): Promise<Row | undefined> {
  return (await engine.read({ kind: 'item', collection: 'items', id: String(id) })).found
}

async function planOf(engine: Engine) {
  const { found } = await engine.read({ kind: 'explain', collection: 'items', query: OF_GROUP_5 })
  return found?.plan
}

describe('a fork', () => {
  it.each<[string, (fork: Engine) => Promise<unknown>, number]>([
    ['has changed nothing', async () => {}, 20],
    [
      'has changed a few rows',
      async (fork) => {
        await fork.write({ kind: 'remove', collection: 'items', id: '6' })
        await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { group: 5 } })
        await fork.write({ kind: 'insert', collection: 'items', rows: [{ group: 5 }, { group: 6 }] })
      },
      21,
    ],
  ])('is answered by the index of its base where it %s', async (_, change, matched) => {
    const all = Array.from({ length: 1000 }, (_none, at) => ({ id: at + 1, group: at % 50 }))
    const items = countReads(all, 'group')
    const base = new Engine({ items: items.rows }, NAMING)
    await planOf(base)
    expect(items.reads).toBeGreaterThanOrEqual(1000)
    items.reads = 0
    const fork = base.fork(1)
    await change(fork)
    const plan = { uses: [{ kind: 'equality', path: 'group' }], examined: 0, matched }
    expect(await planOf(fork)).toEqual(plan)
    expect(items.reads).toBeLessThan(20)
  })

  it.each<[string, ListQuery, number]>([
    ['an index', OF_GROUP_5, 800],
    ['an order', { ...ALL, sort: [{ path: 'group', order: 'desc' }] }, 40_000],
  ])('finds what it has, whatever its base changes while %s is made', async (_, query, count) => {
    const base = open(40_000)
    const fork = base.fork(1)
    const reading = fork.read({ kind: 'list', collection: 'items', query })
    for (const id of ['6', '56']) await base.write({ kind: 'remove', collection: 'items', id })
    await base.write({ kind: 'insert', collection: 'items', rows: [{ group: 5 }] })
    const { found } = await reading
    const rows = found?.rows ?? []
    expect([found?.total, rows.length]).toEqual([count, count])
    expect(('toArray' in rows ? rows.toArray() : rows).some(({ id }) => id === 6)).toBe(true)
  })

  const sorts: readonly ListQuery['sort'][] = [
    [{ path: 'group', order: 'asc' }],
    [
      { path: 'group', order: 'desc' },
      { path: 'deep.n', order: 'asc' },
    ],
    [{ path: 'text', order: 'asc' }],
    [{ path: 'text', order: 'desc' }],
  ]
  const values: readonly Row[] = [
    { group: 25, text: 'b' },
    { group: -1, text: 'a' },
    { group: 99, text: null },
    { group: 0 },
    { group: 'x', text: 5 },
  ]

  it('reads its first pages in the order of an index of its base', async () => {
    const fork = open().fork(1)
    await fork.write({ kind: 'merge', collection: 'items', id: '9', fields: { group: -1 } })
    const [sort = []] = sorts
    const query = { ...ALL, sort, window: { kind: 'limit' as const, count: 10 } }
    const { found } = await fork.read({ kind: 'explain', collection: 'items', query })
    expect(found?.plan.uses).toEqual([{ kind: 'sorted', path: 'group' }])
  })

  it.each(sorts)('sorts its pages as a plain scan would, whatever it changed: %j %j', async (...sort) => {
    const base = open()
    await base.write({ kind: 'merge', collection: 'items', id: '7', fields: { text: 'm' } })
    const fork = base.fork(1)
    const keys = sort.filter((key) => typeof key === 'object')
    const windows: readonly ListQuery['window'][] = [
      { kind: 'limit', count: 30 },
      { kind: 'slice', start: 50, end: 60 },
      { kind: 'page', page: 4, size: 10 },
      { kind: 'slice', start: -5 },
    ]
    for (const [at, fields] of values.entries()) {
      await fork.write({ kind: 'merge', collection: 'items', id: String(at * 50 + 1), fields })
      await fork.write({ kind: 'insert', collection: 'items', rows: [fields] })
      await fork.write({ kind: 'remove', collection: 'items', id: String(at + 20) })
      for (const window of windows) {
        const query = { ...ALL, sort: keys, window }
        const { found } = await fork.read({ kind: 'list', collection: 'items', query })
        const all = fork.database.table('items')?.rows.items() ?? []
        const { items, ...head } = await plainSelect(all, query, NAMING.id)
        expect(found).toEqual({ rows: items, ...head })
      }
    }
  })

  it('keeps its rows when others get hold of the data of its base, and change it in place', async () => {
    const base = open(3)
    const fork = base.fork(1)
    await fork.write({ kind: 'merge', collection: 'items', id: '2', fields: { a: 1 } })
    const data = liveDataOf(base).data as {
      items: { deep: { n: number } }[]
      single: { deep: { n: number } }
    }
    for (const one of [...data.items, data.single]) one.deep.n = -1
    data.items.pop()
    expect((await fork.read({ kind: 'database' })).found).toEqual({
      items: [
        { id: 1, group: 0, deep: { n: 0 } },
        { id: 2, group: 1, deep: { n: 1 }, a: 1 },
        { id: 3, group: 2, deep: { n: 2 } },
      ],
      single: { deep: { n: 1 } },
    })
    expect(await row(base, 1)).toMatchObject({ deep: { n: -1 } })
  })

  it('changes nothing of its base where others hold its data and change it in place, and can go back', async () => {
    const base = open(3)
    const before = structuredClone((await base.read({ kind: 'database' })).found)
    const fork = base.fork(1)
    const data = liveDataOf(fork).data as { items: { deep: { n: number } }[] }
    for (const one of data.items) one.deep.n = -1
    expect(await row(fork, 1)).toMatchObject({ deep: { n: -1 } })
    expect((await base.read({ kind: 'database' })).found).toEqual(before)
    await fork.reset()
    expect((await fork.read({ kind: 'database' })).found).toEqual(before)
    for (const one of data.items) one.deep.n = -2
    expect((await base.read({ kind: 'database' })).found).toEqual(before)
  })

  it('goes back to what it was a copy of, and tells so in one commit without effects', async () => {
    const base = open(2)
    await base.write({ kind: 'insert', collection: 'items', rows: [{}] })
    const fork = base.fork(1000)
    await base.write({ kind: 'insert', collection: 'items', rows: [{}] })
    await fork.write({ kind: 'remove', collection: 'items', id: '1' })
    const commits: Commit[] = []
    fork.subscribe((commit) => commits.push(commit))
    await fork.reset({ session: 'a' })
    expect(commits).toMatchObject([{ version: 1002, names: ['items', 'single'], meta: { session: 'a' } }])
    expect(commits[0]?.effects).toBeUndefined()
    expect((await fork.read({ kind: 'database' })).found.items).toHaveLength(3)
    expect((await base.read({ kind: 'database' })).found.items).toHaveLength(4)
  })

  it('has a history of its own', async () => {
    const base = open(2)
    await base.write({ kind: 'insert', collection: 'items', rows: [{}] })
    const fork = base.fork(1000)
    expect([fork.history.version, fork.history.list(10)]).toEqual([1000, []])
    await expect(fork.write({ kind: 'move', direction: 'undo' })).rejects.toMatchObject({
      code: 'NOTHING_TO_UNDO',
    })
    await fork.write({ kind: 'remove', collection: 'items', id: '1' })
    await base.write({ kind: 'move', direction: 'undo' })
    expect(await fork.write({ kind: 'move', direction: 'undo' })).toEqual([1001])
    expect((await fork.read({ kind: 'database' })).found.items).toHaveLength(3)
    expect((await base.read({ kind: 'database' })).found.items).toHaveLength(2)
  })

  it('leaves its base as it is when most of it has changed', async () => {
    const base = open(5000)
    const fork = base.fork(1)
    await fork.write({ kind: 'merge-where', collection: 'items', where: { where: [] }, fields: { seen: 1 } })
    await fork.write({ kind: 'remove', collection: 'items', id: '6' })
    expect(await planOf(fork)).toMatchObject({ examined: 0, matched: 99 })
    expect(await planOf(base)).toMatchObject({ matched: 100 })
    expect(await row(fork, 7)).toMatchObject({ seen: 1 })
    expect(await row(base, 7)).not.toHaveProperty('seen')
  })
})
