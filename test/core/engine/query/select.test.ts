import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Draft } from '../../../../src/core/engine/changes/draft.ts'
import { lookup } from '../../../../src/core/engine/data/lookup.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { Condition, ListQuery, Naming, Row } from '../../../../src/core/engine/types.ts'
import { countReads } from '../../../support/engine/count-reads.ts'
import { openOnDesk } from '../../../support/engine/desk.ts'
import { runs } from '../../../support/length.ts'
import { plainSelect } from '../../../support/model/plain-select.ts'
import { path, query, step, table, value, write } from '../../../support/model/random-table.ts'
import { wideQuery, wideTable } from '../../../support/model/wide-table.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

function open(rows: readonly unknown[]) {
  return openOnDesk({ items: rows.slice() }, NAMING)
}

function tableOf(engine: Engine): Table {
  return engine.database.table('items') ?? Table.of([])
}

function findBy(engine: Engine, field: string, text: string): Promise<readonly Row[]> {
  return lookup(new Draft(engine.database, NAMING), 'items', field).then((find) => find(text))
}

describe('what is found through indexes', () => {
  it('is what a plain scan finds, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(query, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(step, fc.array(query, { maxLength: 2 })), { maxLength: 12 }),
        async (rows, queries, steps) => {
          const { engine, desk } = open(rows)
          for (const [next, others] of [[undefined, []] as const, ...steps]) {
            if (next && 'change' in next) await engine.write(next.change)
            else if (next) {
              desk.edit({ items: next.reload.slice() })
              await engine.refresh()
            }
            // The same queries again: their indexes are there by now, and must have followed.
            for (const asked of [...queries, ...others]) {
              const items = tableOf(engine)
              expect(await select(items, asked, NAMING.id)).toEqual(
                await plainSelect(items.rows.items(), asked, NAMING.id),
              )
            }
          }
        },
      ),
      runs(15),
    )
  })

  it('is what a plain scan finds in columns of all kinds', async () => {
    await fc.assert(
      fc.asyncProperty(
        wideTable,
        fc.array(wideQuery, { minLength: 4, maxLength: 4 }),
        async (rows, queries) => {
          const items = Table.of(rows as Row[])
          for (const asked of queries) {
            expect(await select(items, asked, NAMING.id)).toEqual(
              await plainSelect(rows as Row[], asked, NAMING.id),
            )
          }
        },
      ),
      runs(25),
    )
  })

  it('is that of the moment it was asked for, even when others write while it is looked for', async () => {
    await fc.assert(
      fc.asyncProperty(table, query, fc.array(write, { maxLength: 4 }), async (rows, asked, writes) => {
        const { engine } = open(rows)
        for (const change of writes) {
          const items = tableOf(engine)
          const expected = await plainSelect(items.rows.items(), asked, NAMING.id)
          const [first, , second] = await Promise.all([
            select(items, asked, NAMING.id),
            engine.write(change),
            select(items, asked, NAMING.id),
          ])
          expect(first).toEqual(expected)
          expect(second).toEqual(expected)
        }
      }),
      runs(25),
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
  const isNew: Condition = { path: 'news', op: 'eq', values: ['yes'] }

  async function ids(engine: Engine, asked: Partial<ListQuery>): Promise<unknown[]> {
    const { items } = await select(tableOf(engine), { ...all, ...asked }, NAMING.id)
    return items.map((row) => row.id)
  }

  async function expectPlain(given: readonly Row[], asked: ListQuery): Promise<void> {
    expect(await select(Table.of(given), asked, NAMING.id)).toEqual(
      await plainSelect(given, asked, NAMING.id),
    )
  }

  it.each<[string, number, number]>([
    ['at the start', 0, 5],
    ['within equal rows', 7, 12],
    ['from some to others', 30, 40],
    ['at the end', 95, 120],
    ['past the end', 120, 130],
  ])('keeps equal rows in their order when it is read backwards: %s', async (_, start, end) => {
    const sort = [{ path: 'size', order: 'desc' }] as const
    await expectPlain(rows, { ...all, sort, window: { kind: 'slice', start, end } })
  })

  it.each<[string, Partial<ListQuery>]>([
    ['a value', { where: [{ path: 'size', op: 'eq', values: ['1'] }] }],
    ['a range', { where: [{ path: 'size', op: 'gte', values: ['2'] }], window: { kind: 'limit', count: 5 } }],
    ['an order', { sort: [{ path: 'name', order: 'asc' }], window: { kind: 'limit', count: 5 } }],
    ['a text, and an order', { search: 't', sort: [{ path: 'size', order: 'desc' }] }],
    ['a text that no row has', { search: 'zzz' }],
  ])('is made while others have their turn: %s', async (_, part) => {
    const many = Array.from({ length: 100_000 }, (_none, at) => ({
      id: at + 1,
      size: at % 3,
      name: `t${(at * 7919) % 100_000}`,
    }))
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await select(Table.of(many), { ...all, ...part }, NAMING.id)
    clearImmediate(timer)
    expect(turns).toBeGreaterThan(1)
  })

  it('knows when a field comes into use, and when it goes out of it', async () => {
    const { engine } = open(rows)
    expect(await ids(engine, { where: [isNew] })).toHaveLength(100)
    await engine.write({ kind: 'merge', collection: 'items', id: '7', fields: { news: 'yes' } })
    await engine.write({ kind: 'merge', collection: 'items', id: '3', fields: { news: 'yes' } })
    expect(await ids(engine, { where: [isNew] })).toEqual([3, 7])
    await engine.write({ kind: 'remove', collection: 'items', id: '7' })
    await engine.write({ kind: 'replace', collection: 'items', id: '3', fields: { size: 1 } })
    expect(await ids(engine, { where: [isNew] })).toHaveLength(99)
  })

  it.each([
    ['field', 'size', '9'],
    ['path', 'place.town', 'nowhere'],
  ])('keeps rows in their order when an earlier one gets a value later: %s', async (_, path, value) => {
    const { engine } = open(rows)
    const where: Condition[] = [{ path, op: 'eq', values: [value] }]
    expect(await ids(engine, { where })).toEqual([])
    const fields = { size: 9, place: { town: 'nowhere' } }
    for (const at of ['50', '20', '80', '30']) {
      await engine.write({ kind: 'merge', collection: 'items', id: at, fields })
    }
    expect(await ids(engine, { where })).toEqual([20, 30, 50, 80])
    await engine.write({ kind: 'remove', collection: 'items', id: '30' })
    await engine.write({ kind: 'insert', collection: 'items', rows: [fields] })
    await engine.write({ kind: 'insert', collection: 'items', rows: [fields], place: 25 })
    expect(await ids(engine, { where })).toEqual([20, 102, 50, 80, 101])
  })

  it.each([
    ['k', '\u212a'],
    ['i', '\u0130'],
    ['s', '\u017f'],
  ])('takes %j for another letter than %j, as patterns do', async (letter, other) => {
    const { engine } = open([
      ...rows,
      { id: 'other', name: other },
      { id: 'same', name: letter.toUpperCase() },
    ])
    expect(await ids(engine, { where: [{ path: 'name', op: 'like', values: [letter] }] })).toEqual(['same'])
  })

  it('finds every row of an id that several have', async () => {
    const { engine } = open([...rows, { id: 7, size: 5 }, { id: '7', size: 6 }])
    const where: Condition[] = [{ path: 'id', op: 'eq', values: ['7', '3'] }]
    expect(await ids(engine, { where })).toEqual([3, 7, 7, '7'])
  })

  it.each([2000, 3000])('follows %i rows that come at once, and those that go', async (count) => {
    const { engine } = open(rows)
    const asked = { where: [{ path: 'size', op: 'gte', values: ['2'] } as const] }
    expect(await ids(engine, asked)).toHaveLength(33)
    const many = Array.from({ length: count }, () => ({ size: 2 }))
    await engine.write({ kind: 'insert', collection: 'items', rows: many })
    expect(await ids(engine, asked)).toHaveLength(count + 33)
    const where: Condition[] = [{ path: 'id', op: 'gte', values: ['41'] }]
    await engine.write({ kind: 'remove-where', collection: 'items', where: { where } })
    expect(await ids(engine, asked)).toHaveLength(13)
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
    for (const path of ['size', 'id', 'back', 'gaps', '']) {
      await expectPlain(some, { ...all, where, sort: path ? [{ path, order: 'desc' }] : [] })
    }
  })

  it.each<[string, unknown, string]>([
    ['a list', [1, 2], '1,2'],
    ['an object', { a: 1 }, '[object Object]'],
    ['a list of lists', [[1], [2, 3]], '1,2,3'],
    ['what has no text', { toString: 1 }, ''],
    ['a number', -0, '0'],
  ])('finds %s by the text that filters compare', async (_name, odd, text) => {
    const given = [
      ...rows.map((row) => ({ ...row, key: row.id + 5 })),
      { id: 0, key: odd },
      { id: -1, key: null },
    ]
    const trace = { uses: [], examined: -1 }
    const where: Condition[] = [{ path: 'key', op: 'eq', values: [text] }]
    const { items } = await select(Table.of(given), { ...all, where }, NAMING.id, trace)
    expect(items.map(({ id }) => id)).toEqual([0])
    expect(trace).toEqual({ uses: [{ kind: 'equality', path: 'key' }], examined: 0 })
  })

  it('has rows with too many values looked at, whatever is asked for', async () => {
    const many = Array.from({ length: 300 }, (_none, c) => ({ c }))
    const given: Row[] = [...rows.map(({ id }) => ({ id, a: [{ c: `x${id}` }] })), { id: 0, a: many }]
    for (const [text, expected] of [
      ['x7', [7]],
      ['299', [0]],
      ['none', []],
    ] as const) {
      const trace = { uses: [], examined: -1 }
      const where: Condition[] = [{ path: 'a.c', op: 'eq', values: [text] }]
      const { items } = await select(Table.of(given), { ...all, where }, NAMING.id, trace)
      expect(items.map(({ id }) => id)).toEqual(expected)
      expect(trace.uses).toEqual([{ kind: 'equality', path: 'a.c' }])
      expect(trace.examined).toBeLessThan(3)
    }
  })

  it('is not asked for a text that is too long to have a place in it', async () => {
    const text = 'x'.repeat(20_000)
    const given: Row[] = [...rows.map((row) => ({ ...row, key: 'a' })), { id: 0, key: text }]
    const trace = { uses: [], examined: -1 }
    const where: Condition[] = [{ path: 'key', op: 'eq', values: [text] }]
    const { total } = await select(Table.of(given), { ...all, where }, NAMING.id, trace)
    expect([total, trace]).toEqual([1, { uses: [], examined: 101 }])
  })

  it('of a column with odd values is asked, and not every row', async () => {
    const odd = [[1, 2], { a: 1 }, Array.from({ length: 1500 }, () => 1), null, 'x'.repeat(20_000)]
    const given = Array.from({ length: 2000 }, (_none, at) => ({ id: at + 1, key: odd[at] ?? at % 500 }))
    const counted = countReads(given, 'key')
    const items = Table.of(counted.rows)
    for (const [text, count] of [
      ['7', 4],
      ['1,2', 1],
      ['[object Object]', 1],
      ['none', 0],
    ] as const) {
      const where: Condition[] = [{ path: 'key', op: 'eq', values: [text], required: true }]
      await select(items, { ...all, where }, NAMING.id)
      counted.reads = 0
      expect((await select(items, { ...all, where }, NAMING.id)).total).toBe(count)
      expect(counted.reads).toBeLessThan(20)
    }
  })
})

describe('a look-up', () => {
  it('finds the rows whose own field has the text, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        path,
        value,
        fc.array(write, { maxLength: 5 }),
        async (rows, field, own, writes) => {
          const { engine } = open(rows)
          for (const change of [undefined, ...writes]) {
            if (change) await engine.write(change)
            const all = tableOf(engine).rows.items()
            expect(await findBy(engine, field, own)).toEqual(all.filter((row) => hasText(row, field, own)))
          }
        },
      ),
      runs(15),
    )
  })
})

/** The plain way. Values with longer texts than an index takes, or without any, have no key. */
function hasText(row: unknown, field: string, text: string): boolean {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return false
  const own: unknown = Reflect.get(row, field)
  if (own === null || own === undefined) return false
  try {
    return String(own) === text
  } catch {
    return text === ''
  }
}
