import { describe, expect, it } from 'vitest'
import type { Engine, Fork } from '../../../src/storage/engine.ts'
import { originOf } from '../../../src/storage/fork/table-snapshot.ts'
import { liveDataOf } from '../../../src/storage/local/live-data.ts'
import { LocalEngine } from '../../../src/storage/local/local-engine.ts'
import { RowStates } from '../../../src/storage/table/row-states.ts'
import { Table } from '../../../src/storage/table/table.ts'
import type { ListQuery, Row } from '../../../src/storage/types.ts'

const NAMING = { id: 'id', foreignKeySuffix: 'Id' }
const ALL: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
const OF_GROUP_5: ListQuery = { ...ALL, where: [{ path: 'group', op: 'eq', values: ['5'] }] }

function open(count = 1000): LocalEngine {
  const items = Array.from({ length: count }, (_, at) => ({ id: at + 1, group: at % 50, deep: { n: at } }))
  return new LocalEngine({ items, single: { deep: { n: 1 } } }, { ...NAMING, isOwned: true })
}

async function row(engine: Engine, id: number): Promise<Row | undefined> {
  return (await engine.read({ kind: 'item', collection: 'items', id: String(id) })).found
}

async function planOf(engine: Engine) {
  const { found } = await engine.read({ kind: 'explain', collection: 'items', query: OF_GROUP_5 })
  return found?.plan
}

describe('a fork', () => {
  it.each<[string, (fork: Fork) => Promise<unknown>, number, number]>([
    ['has changed nothing', async () => {}, 0, 20],
    [
      'has changed a few rows',
      async (fork) => {
        await fork.write({ kind: 'remove', collection: 'items', id: '6' })
        await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { group: 5 } })
        await fork.write({ kind: 'insert', collection: 'items', rows: [{ group: 5 }, { group: 6 }] })
      },
      3,
      21,
    ],
  ])('is answered by the index of its base where it %s', async (_, change, examined, matched) => {
    const base = open()
    await planOf(base)
    const fork = base.fork()
    await change(fork)
    expect(await planOf(fork)).toEqual({ uses: [{ kind: 'equality', path: 'group' }], examined, matched })
  })

  it.each<[string, ListQuery, number]>([
    ['an index', OF_GROUP_5, 800],
    ['an order', { ...ALL, sort: [{ path: 'group', order: 'desc' }] }, 40_000],
  ])('finds what it has, whatever its base changes while %s is made', async (_, query, count) => {
    const base = open(40_000)
    const fork = base.fork()
    const reading = fork.read({ kind: 'list', collection: 'items', query })
    expect(reading).toBeInstanceOf(Promise)
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
    const fork = open().fork()
    await fork.write({ kind: 'merge', collection: 'items', id: '9', fields: { group: -1 } })
    const [sort = []] = sorts
    const query = { ...ALL, sort, window: { kind: 'limit' as const, count: 10 } }
    const { found } = await fork.read({ kind: 'explain', collection: 'items', query })
    expect(found?.plan.uses).toEqual([{ kind: 'sorted', path: 'group' }])
  })

  it.each(sorts)('sorts its pages as a plain object would, whatever it changed: %j %j', async (...sort) => {
    const base = open()
    await base.write({ kind: 'merge', collection: 'items', id: '7', fields: { text: 'm' } })
    const fork = base.fork()
    const model = new LocalEngine(structuredClone((await base.read({ kind: 'database' })).found), NAMING)
    const keys = sort.filter((key) => typeof key === 'object')
    const windows: readonly ListQuery['window'][] = [
      { kind: 'limit', count: 30 },
      { kind: 'slice', start: 50, end: 60 },
      { kind: 'page', page: 4, size: 10 },
      { kind: 'slice', start: -5 },
    ]
    for (const [at, fields] of values.entries()) {
      const id = String(at * 50 + 1)
      for (const engine of [fork, model]) {
        await engine.write({ kind: 'merge', collection: 'items', id, fields })
        await engine.write({ kind: 'insert', collection: 'items', rows: [fields] })
        await engine.write({ kind: 'remove', collection: 'items', id: String(at + 20) })
      }
      for (const window of windows) {
        const query = { ...ALL, sort: keys, window }
        const ask = (engine: Engine) => engine.read({ kind: 'list', collection: 'items', query })
        expect((await ask(fork)).found).toEqual((await ask(model)).found)
      }
    }
  })

  it('keeps its rows when others get hold of the data of its base, and change it in place', async () => {
    const base = open(3)
    const fork = base.fork()
    await fork.write({ kind: 'merge', collection: 'items', id: '2', fields: { a: 1 } })
    const data = base.live.share() as { items: { deep: { n: number } }[]; single: { deep: { n: number } } }
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
    const fork = base.fork()
    const data = liveDataOf(fork)?.share() as { items: { deep: { n: number } }[] }
    for (const one of data.items) one.deep.n = -1
    expect(await row(fork, 1)).toMatchObject({ deep: { n: -1 } })
    expect((await base.read({ kind: 'database' })).found).toEqual(before)
    await fork.reset()
    expect((await fork.read({ kind: 'database' })).found).toEqual(before)
    for (const one of data.items) one.deep.n = -2
    expect((await base.read({ kind: 'database' })).found).toEqual(before)
  })

  it('counts the bytes of rows that are its own, and of none after it went back', async () => {
    const fork = open().fork()
    expect(fork.bytes).toBe(0)
    const text = 'x'.repeat(10_000)
    await fork.write({ kind: 'insert', collection: 'items', rows: [{ text }] })
    await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { text } })
    await fork.write({ kind: 'merge-object', name: 'single', fields: { text } })
    expect(fork.bytes).toBeGreaterThan(30_000)
    expect(fork.bytes).toBeLessThan(32_000)
    await fork.write({ kind: 'remove', collection: 'items', id: '1001' })
    await fork.write({ kind: 'merge', collection: 'items', id: '1', fields: { text: '' } })
    expect(fork.bytes).toBeLessThan(12_000)
    await fork.write({ kind: 'replace-database', data: { items: [{ id: 1, text }], others: [] } })
    expect(fork.bytes).toBeGreaterThan(10_000)
    await fork.reset()
    expect(fork.bytes).toBe(0)
    expect(fork.names()).toEqual(['items', 'single'])
  })

  it('tells in one commit without effects that it went back', async () => {
    const fork = open(2).fork()
    const commits: unknown[] = []
    fork.subscribe((commit) => commits.push(commit), { effects: true })
    await fork.reset({ note: 'why' })
    expect(commits).toEqual([{ names: ['items', 'single'], note: 'why' }])
  })

  it('becomes a table of its own when most of it has changed', async () => {
    const base = open(5000)
    const fork = base.fork()
    await fork.write({ kind: 'merge-where', collection: 'items', where: { where: [] }, fields: { seen: 1 } })
    await fork.write({ kind: 'remove', collection: 'items', id: '6' })
    expect(await planOf(fork)).toMatchObject({ examined: 0, matched: 99 })
    expect(await planOf(base)).toMatchObject({ matched: 100 })
    expect(await row(fork, 7)).toMatchObject({ seen: 1 })
    expect(await row(base, 7)).not.toHaveProperty('seen')
  })
})

describe('a snapshot of a table', () => {
  const changeOf = (added: readonly Row[]) => ({
    added,
    replaced: new Map(),
    removed: new Set<Row>(),
    places: new Map(),
  })

  it('is shared by forks with a few changes between them, and renewed after many', () => {
    const table = new Table([{ id: 1 }], 'id')
    const first = originOf(table, 'id')
    expect(first.snapshot.table).toBe(table)
    table.apply(changeOf([{ id: 2 }]))
    const second = originOf(table, 'id')
    expect(second.snapshot).toBe(first.snapshot)
    expect([first.snapshot.rows.length, first.changes.length, second.changes.length]).toEqual([1, 0, 1])
    table.apply(changeOf(Array.from({ length: 300 }, (_, at) => ({ id: at + 3 }))))
    const third = originOf(table, 'id')
    expect(third.snapshot).not.toBe(first.snapshot)
    expect([third.snapshot.rows.length, third.changes.length]).toEqual([302, 0])
  })
})

describe('what a draft knows of a row', () => {
  it('is forgotten for those that came between, so that a long life costs no more than a short one', () => {
    const states = new RowStates()
    const [origin, first, second, third] = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]
    states.replace(origin, first)
    states.replace(first, second)
    states.settle()
    states.replace(second, third)
    expect(states.originOf(second)).toBe(origin)
    states.settle()
    expect([first, second, third].map((one) => states.originOf(one))).toEqual([first, second, origin])
  })
})
