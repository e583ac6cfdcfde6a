import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryColumn, foldedColumn, valueColumn } from '../../../../src/core/engine/data/columns.ts'
import { byKey, Column, type IndexKey } from '../../../../src/core/engine/data/index.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { select } from '../../../../src/core/engine/query/select.ts'
import type { ListQuery, Naming, Row, Selection } from '../../../../src/core/engine/types.ts'
import { cpuTime } from '../../../support/cpu-time.ts'
import { runs } from '../../../support/length.ts'
import { plainSelect } from '../../../support/model/plain-select.ts'
import { fields, path, query, table } from '../../../support/model/random-table.ts'

const NAMING: Naming = { id: 'id', foreignKeySuffix: '_id' }

/** A row that is put somewhere, and one that goes. */
type Step = { readonly put: Row; readonly at: number } | { readonly drop: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ put: fields, at: fc.nat({ max: 200 }) }),
  fc.record({ drop: fc.nat({ max: 200 }) }),
)

/** At the rank of another row, between two, or at the end. */
function apply(before: Table, one: Step): Table {
  if ('drop' in one)
    return before.size === 0
      ? before
      : before.edit([{ rank: before.rows.entryAt(one.drop % before.size).rank }])
  const row = { id: 1000 + one.at, ...one.put }
  if (one.at >= before.size) return before.edit([{ rank: before.nextRank, after: row }])
  const rank = before.rows.entryAt(one.at).rank
  return before.edit([{ rank: one.at % 3 === 0 ? rank + 0.5 : rank, after: row }])
}

describe('a table', () => {
  it('answers every question as a plain scan does, and so does every older version, whatever came after', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(query, { minLength: 1, maxLength: 3 }),
        fc.array(step, { maxLength: 12 }),
        async (rows, queries, steps) => {
          let current = Table.of(rows as Row[])
          const answers: (readonly [Table, ListQuery, Selection])[] = []
          for (const next of [undefined, ...steps]) {
            if (next) current = apply(current, next)
            for (const asked of queries) {
              const found = await select(current, asked, NAMING.id)
              expect(found).toEqual(await plainSelect(current.rows.items(), asked, NAMING.id))
              answers.push([current, asked, found])
            }
          }
          for (const [version, asked, found] of answers)
            expect(await select(version, asked, NAMING.id)).toEqual(found)
        },
      ),
      runs(20),
    )
  })

  it('brings indexes up to date that equal those built new', async () => {
    await fc.assert(
      fc.asyncProperty(table, path, fc.array(step, { maxLength: 20 }), async (rows, name, steps) => {
        let current = Table.of(rows as Row[])
        const columns = [valueColumn(name), entryColumn(name), foldedColumn(name)]
        for (const column of columns) await current.derive(column)
        for (const next of steps) {
          current = apply(current, next)
          for (const column of columns) {
            const [kept, built] = [await current.derive(column), await column.build(current.rows)]
            expect(kept.items()).toEqual(built.items())
            expect(kept.ranks()).toEqual(built.ranks())
          }
        }
      }),
      runs(25),
    )
  })

  it('keeps an index from version to version instead of reading all rows again', async () => {
    let read = 0
    const column = new Column('counted', (row) => {
      read++
      return [Number(row.id)]
    })
    let current = Table.of(Array.from({ length: 1000 }, (_, id) => ({ id })))
    await current.derive(column)
    expect(read).toBe(1000)
    for (let at = 0; at < 10; at++) {
      current = current.edit([{ rank: at * 7, after: { id: 5000 + at } }])
      await current.derive(column)
    }
    expect(read).toBe(1000 + 2 * 10)
  })

  it.each([
    ['a small part of many rows', 300_000, 2300, 1, 2300],
    ['a large part of few rows', 10_000, 2300, 1, 7700],
    ['rows with many keys', 1000, 20, 3000, 980],
  ])('reads what is cheaper after a change of %s', async (_, size, gone, keys, expected) => {
    let read = 0
    const some = Array.from({ length: keys }, (_, at) => at)
    const column = new Column('counted', (row) => {
      read++
      return Number(row.id) < gone ? some : [Number(row.id)]
    })
    const table = Table.of(Array.from({ length: size }, (_, id) => ({ id })))
    await table.derive(column)
    read = 0
    const changed = table.edit(Array.from({ length: gone }, (_, rank) => ({ rank })))
    expect((await changed.derive(column)).size).toBe(size - gone)
    // Before it is known that there are too many.
    const tried = keys > 1 ? Math.ceil(50_000 / keys) : 0
    expect(read).toBe(expected + tried)
  })
})

describe('an index of many keys', () => {
  const keyOf = (at: number): IndexKey => {
    const mixed = (at * 7919) % 50_000
    return [mixed, `k${mixed}`, mixed % 5, null, mixed % 2 === 0, undefined, `${mixed % 3}`][at % 7]
  }

  it('has them in order, and those of one key by the order of rows', async () => {
    const rows = Array.from({ length: 60_000 }, (_, id) => ({ id }))
    const index = await new Column('keys', ({ id }) => [keyOf(Number(id))]).build(Table.of(rows).rows)
    const expected = rows
      .map(({ id }) => ({ key: keyOf(id), id }))
      .sort((a, b) => byKey(a.key, a.id, b.key, b.id))
    const entries = index.items().map((key, at) => ({ key, id: index.entryAt(at).rank }))
    // To compare them by a matcher would take long, should they differ.
    expect(entries.find(({ key, id }, at) => key !== expected[at]?.key || id !== expected[at]?.id)).toBe(
      undefined,
    )
    expect(entries).toHaveLength(60_000)
  })

  it('is built while others have their turn, though a few thousand rows have a million of them', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({
      list: Array.from({ length: 200 }, (_none, at) => ((id * 200 + at) * 7919) % 1_000_003),
    }))
    let [longest, last] = [0, cpuTime()]
    const others = () => {
      longest = Math.max(longest, cpuTime() - last)
      last = cpuTime()
      waiting = setImmediate(others)
    }
    let waiting = setImmediate(others)
    await entryColumn('list').build(Table.of(rows).rows)
    clearImmediate(waiting)
    expect(Math.max(longest, cpuTime() - last)).toBeLessThan(200)
  })
})
