import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookupIn } from '../../../src/storage/index/lookup.ts'
import { lookupIndexed, selectIndexed } from '../../../src/storage/plan/plan.ts'
import { select as selecting } from '../../../src/storage/query/query.ts'
import { Table } from '../../../src/storage/table/table.ts'
import type { Condition, ListQuery, Naming, Row, Selection, SortKey } from '../../../src/storage/types.ts'
import { workInSlices } from '../../../src/work/in-slices.ts'
import { done } from '../../support/done.ts'
import { LocalStore } from '../../support/engine/local-store.ts'
import { Outside } from '../../support/engine/outside.ts'
import { path, query, step, table, value, write } from '../../support/model/random-table.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

function open(rows: readonly unknown[]) {
  const medium = new Outside()
  const store = new LocalStore({ items: rows.slice() }, { ...NAMING, medium, isOwned: true })
  return { medium, store }
}

/** The slow and obvious way. */
function select(rows: readonly Row[], query: ListQuery, naming: Naming): Selection {
  return done(selecting(rows, query, naming))
}

async function findBy(store: LocalStore, field: string, text: string): Promise<readonly Row[]> {
  return (await workInSlices(lookupIn(store, 'items', field)))(text)
}

function tableOf(store: LocalStore): Table {
  const table = store.local.table('items')
  if (!(table instanceof Table)) throw new Error('no items')
  return table
}

describe('an answer through indexes', { timeout: 60_000 }, () => {
  it('is the answer of a plain scan, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(query, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(step, fc.array(query, { maxLength: 2 })), { maxLength: 12 }),
        async (rows, queries, steps) => {
          const { store, medium } = open(rows)
          for (const [next, others] of [[undefined, []] as const, ...steps]) {
            if (next && 'change' in next) await store.write(next.change)
            else if (next) {
              medium.fresh = { items: next.reload.slice() }
              await store.refresh()
            }
            // The same queries again: their indexes are there by now, and must have followed.
            for (const asked of [...queries, ...others]) {
              expect(await store.select('items', asked)).toEqual(select(tableOf(store).rows, asked, NAMING))
            }
          }
        },
      ),
      { numRuns: 80 },
    )
  })

  it('is that of the moment it was asked for, even when others write while it is looked for', async () => {
    await fc.assert(
      fc.asyncProperty(table, query, fc.array(write, { maxLength: 3 }), async (rows, asked, writes) => {
        const { store } = open(rows)
        for (const change of writes) {
          // With each write there may be enough rows for another index, which is not made while it is looked for.
          await store.select('items', asked)
          const expected = structuredClone(select(tableOf(store).rows, asked, NAMING))
          const found = selectIndexed(tableOf(store), asked, NAMING, 0)
          // What is found at once may be the table's own array.
          const selection = found instanceof Promise ? found : structuredClone(found)
          await store.write(change)
          expect(await selection).toEqual(expected)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('is that of one moment, even when others write while its indexes are made', async () => {
    await fc.assert(
      fc.asyncProperty(table, query, fc.array(write, { maxLength: 4 }), async (rows, asked, writes) => {
        const { store } = open(rows)
        const seen = () => structuredClone(select(tableOf(store).rows, asked, NAMING))
        const moments = [seen()]
        const found = selectIndexed(tableOf(store), asked, NAMING, 0)
        // What is found at once may be the table's own array.
        const selection = found instanceof Promise ? found : structuredClone(found)
        for (const change of writes) {
          await store.write(change)
          moments.push(seen())
        }
        expect(moments).toContainEqual(await selection)
      }),
      { numRuns: 150 },
    )
  })
})

describe('an index', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    size: at % 3,
    place: { town: `t${at % 10}` },
  }))
  const all: ListQuery = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] }
  const is1 = (path: string): Condition => ({ path, op: 'eq', values: ['1'] })
  const upwards = (path: string): SortKey => ({ path, order: 'asc' })
  const isNew: Condition = { path: 'news', op: 'eq', values: ['yes'] }

  async function ids(store: LocalStore, asked: Partial<ListQuery>): Promise<unknown[]> {
    const { items } = await store.select('items', { ...all, ...asked })
    return items.map((row) => row.id)
  }

  it.each<[string, number, number]>([
    ['at the start', 0, 5],
    ['within equal rows', 7, 12],
    ['from some to others', 30, 40],
    ['at the end', 95, 120],
    ['past the end', 120, 130],
  ])('keeps equal rows in their order when it is read backwards: %s', async (_, start, end) => {
    const { store } = open(rows)
    const asked: ListQuery = {
      ...all,
      sort: [{ path: 'size', order: 'desc' }],
      window: { kind: 'slice', start, end },
    }
    expect(await store.select('items', asked)).toEqual(select(rows, asked, NAMING))
  })

  it.each<[string, Partial<ListQuery>]>([
    ['a value', { where: [{ path: 'size', op: 'eq', values: ['1'] }] }],
    ['a range', { where: [{ path: 'size', op: 'gte', values: ['2'] }], window: { kind: 'limit', count: 5 } }],
    ['an order', { sort: [{ path: 'size', order: 'asc' }], window: { kind: 'limit', count: 5 } }],
    ['a text, and an order', { search: 't', sort: [{ path: 'size', order: 'desc' }] }],
    ['more values than a table has indexes', { where: [...'abcdefghijklmnop'].map(is1) }],
    ['a longer order than that', { sort: [...'abcdefghijklmnop'].map(upwards) }],
  ])('is made while others have their turn: %s', async (_, part) => {
    const letters = Object.fromEntries([...'abcdefghijklmnop'].map((letter) => [letter, 1]))
    const { store } = open(rows.map((row, at) => (at % 40 === 0 ? { ...row, ...letters } : row)))
    const asked = { ...all, ...part }
    let turns = 0
    setImmediate(() => turns++)
    const found = selectIndexed(tableOf(store), asked, NAMING, 0)
    expect(await found).toEqual(select(tableOf(store).rows, asked, NAMING))
    // What needs no index, because there are too many to have, is done at once.
    expect(found instanceof Promise ? turns : 1).toBe(1)
  })

  it('knows when a field comes into use, and when it goes out of it', async () => {
    const { store } = open(rows)
    expect(await ids(store, { where: [isNew] })).toHaveLength(100)
    await store.write({ kind: 'merge', collection: 'items', id: '7', fields: { news: 'yes' } })
    await store.write({ kind: 'merge', collection: 'items', id: '3', fields: { news: 'yes' } })
    expect(await ids(store, { where: [isNew] })).toEqual([3, 7])
    await store.write({ kind: 'remove', collection: 'items', id: '7' })
    await store.write({ kind: 'replace', collection: 'items', id: '3', fields: { size: 1 } })
    expect(await ids(store, { where: [isNew] })).toHaveLength(99)
  })

  it.each([
    ['field', 'size', '9'],
    ['path', 'place.town', 'nowhere'],
  ])('keeps rows in their order when an earlier one gets a value later: %s', async (_, path, value) => {
    const { store } = open(rows)
    const where: Condition[] = [{ path, op: 'eq', values: [value] }]
    expect(await ids(store, { where })).toEqual([])
    const fields = { size: 9, place: { town: 'nowhere' } }
    for (const at of ['50', '20', '80', '30']) {
      await store.write({ kind: 'merge', collection: 'items', id: at, fields })
    }
    expect(await ids(store, { where })).toEqual([20, 30, 50, 80])
    await store.write({ kind: 'remove', collection: 'items', id: '30' })
    await store.write({ kind: 'insert', collection: 'items', rows: [fields] })
    expect(await ids(store, { where })).toEqual([20, 50, 80, 101])
  })

  it.each([
    ['k', '\u212a'],
    ['i', '\u0130'],
    ['s', '\u017f'],
  ])('takes %j for another letter than %j, as patterns do', async (letter, other) => {
    const { store } = open([
      ...rows,
      { id: 'other', name: other },
      { id: 'same', name: letter.toUpperCase() },
    ])
    expect(await ids(store, { where: [{ path: 'name', op: 'like', values: [letter] }] })).toEqual(['same'])
  })

  it('finds every row of an id that several have', async () => {
    const { store } = open([...rows, { id: 7, size: 5 }, { id: '7', size: 6 }])
    const where: Condition[] = [{ path: 'id', op: 'eq', values: ['7', '3'] }]
    expect(await ids(store, { where })).toEqual([3, 7, 7, '7'])
  })

  it('follows more rows at once than are worth following', async () => {
    const { store } = open(rows)
    const asked = { where: [{ path: 'size', op: 'gte', values: ['2'] } as const] }
    expect(await ids(store, asked)).toHaveLength(33)
    const many = Array.from({ length: 2000 }, () => ({ size: 2 }))
    await store.write({ kind: 'insert', collection: 'items', rows: many })
    expect(await ids(store, asked)).toHaveLength(2033)
    const where: Condition[] = [{ path: 'id', op: 'gte', values: ['41'] }]
    await store.write({ kind: 'remove-where', collection: 'items', where: { where } })
    expect(await ids(store, asked)).toHaveLength(13)
  })

  it.each<[string, Condition[]]>([
    [
      'two ranges',
      [
        { path: 'size', op: 'gte', values: ['1'] },
        { path: 'id', op: 'lte', values: ['60'] },
      ],
    ],
    [
      'a value and a range',
      [
        { path: 'size', op: 'eq', values: ['1'] },
        { path: 'id', op: 'gte', values: ['20'] },
      ],
    ],
    ['a range of most rows', [{ path: 'id', op: 'gte', values: ['20'] }]],
    ['a range of a column with gaps', [{ path: 'gaps', op: 'gte', values: ['0'] }]],
  ])('agrees with a scan on %s, in any order', async (_, where) => {
    const some = rows.map((row) => ({ ...row, gaps: row.id % 2 ? row.id : null, back: -row.id }))
    const { store } = open(some)
    for (const path of ['size', 'id', 'back', 'gaps', '']) {
      const asked: ListQuery = { ...all, where, sort: path ? [{ path, order: 'desc' }] : [] }
      expect(await store.select('items', asked)).toEqual(select(some, asked, NAMING))
    }
  })

  it('goes on with the rows it found, though its own list of them changes meanwhile', async () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ id: at + 1, group: at % 5, name: 'x' }))
    const { store } = open(many)
    const where: Condition[] = [
      { path: 'group', op: 'eq', values: ['1'] },
      { path: 'name', op: 'ne', values: ['y'] },
    ]
    const expected = await store.select('items', { ...all, where })
    const found = selectIndexed(tableOf(store), { ...all, where }, NAMING, 0)
    await store.write({ kind: 'remove', collection: 'items', id: '2' })
    await store.write({ kind: 'merge', collection: 'items', id: '7', fields: { group: 2 } })
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toEqual(expected)
  })

  it.each<[string, number]>([
    ['a few rows', 5],
    ['so many that its indexes are dropped', 1500],
  ])(
    'is not needed for a search to tell of one moment, though %s are replaced meanwhile',
    async (_name, count) => {
      const many = Array.from({ length: 3000 }, (_none, at) => ({ id: at + 1, name: `x${at}`, size: at % 7 }))
      const { store } = open(many)
      const asked: ListQuery = { ...all, where: [{ path: 'name', op: 'like', values: ['^x.*[27]$'] }] }
      const expected = structuredClone(select(tableOf(store).rows, asked, NAMING))
      const found = selectIndexed(tableOf(store), asked, NAMING, 0)
      const where: Condition[] = [{ path: 'id', op: 'gte', values: [String(3001 - count)] }]
      await store.write({
        kind: 'merge-where',
        collection: 'items',
        where: { where },
        fields: { name: 'x2' },
      })
      await store.write({ kind: 'remove', collection: 'items', id: '2990' })
      expect(found).toBeInstanceOf(Promise)
      expect(await found).toEqual(expected)
    },
  )

  it('of a column with odd values is asked, and not every row', async () => {
    let reads = 0
    const odd = [[1, 2], { a: 1 }, Array.from({ length: 1500 }, () => 1), null, 'x'.repeat(20_000)]
    const rows = Array.from({ length: 2000 }, (_none, at) =>
      Object.defineProperty({ id: at + 1 }, 'key', {
        enumerable: true,
        get: () => {
          reads++
          return odd[at] ?? at % 500
        },
      }),
    )
    const { store } = open(rows)
    for (const [text, count] of [
      ['7', 4],
      ['1,2', 1],
      ['[object Object]', 1],
      ['none', 0],
    ] as const) {
      const where: Condition[] = [{ path: 'key', op: 'eq', values: [text], required: true }]
      await store.select('items', { ...all, where })
      reads = 0
      expect((await store.select('items', { ...all, where })).total).toBe(count)
      expect((await findBy(store, 'key', text)).length).toBe(count)
      expect(reads).toBeLessThan(20)
    }
  })

  it('that is being made when the data is handed out leads to no other rows', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => ({ id: at + 1, group: at % 1000 }))
    const { store } = open(many)
    const found = store.select('items', { ...all, where: [{ path: 'group', op: 'eq', values: ['7'] }] })
    store.live.share()
    await store.write({ kind: 'remove', collection: 'items', id: '1' })
    const { items, total } = await found
    expect(total).toBe(200)
    expect(new Set(items.map(({ group }) => group))).toEqual(new Set([7]))
  })

  it('is not asked once others hold the data', async () => {
    const { store } = open(rows)
    const where: Condition[] = [{ path: 'size', op: 'eq', values: ['2'] }]
    expect(await ids(store, { where })).toHaveLength(33)
    const { items } = store.live.share()
    if (Array.isArray(items)) items.push({ id: 'new', size: 2 })
    expect(await ids(store, { where })).toHaveLength(34)
    expect(await findBy(store, 'size', '2')).toHaveLength(34)
  })
})

describe('a look-up', () => {
  it('can be prepared while others have their turn', async () => {
    const { store } = open(Array.from({ length: 100 }, (_, at) => ({ id: at, owner_id: at % 50 })))
    const preparing = lookupIndexed(tableOf(store), 'owner_id', 0)
    expect(preparing).toBeInstanceOf(Promise)
    await preparing
    expect(store.lookup('items', 'owner_id')).toBeTypeOf('function')
    expect(await findBy(store, 'owner_id', '7')).toHaveLength(2)
    expect(store.lookup('nothing', 'owner_id')).toBeUndefined()
  })

  it('finds the rows whose own field has the text, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        path,
        value,
        fc.array(write, { maxLength: 5 }),
        async (rows, field, own, writes) => {
          const { store } = open(rows)
          const plain = new LocalStore({ items: store.rows('items') }, NAMING)
          for (const change of [undefined, ...writes]) {
            if (change) await store.write(change)
            expect(await findBy(store, field, own)).toEqual(await findBy(plain, field, own))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
