import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueColumn } from '../../../../src/core/engine/data/columns.ts'
import type { Derivation } from '../../../../src/core/engine/data/derived.ts'
import { indexOf } from '../../../../src/core/engine/data/index.ts'
import { Table } from '../../../../src/core/engine/data/table.ts'
import { runs } from '../../../support/length.ts'
import { fields, path } from '../../../support/model/random-table.ts'

/** Counts how it is made. */
class Size implements Derivation<number> {
  readonly name: string
  built = 0
  updated = 0
  fails = false

  constructor(name = 'size') {
    this.name = name
  }

  async build(rows: Table['rows']): Promise<number> {
    await turn()
    if (this.fails) throw new Error('no')
    this.built++
    return rows.size
  }

  update(size: number, changes: Parameters<Derivation<number>['update']>[1]): number {
    this.updated++
    return changes.reduce(
      (sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined),
      size,
    )
  }
}

const open = (size: number) => Table.of(Array.from({ length: size }, (_, id) => ({ id })))
const add = (table: Table, count = 1) => {
  let next = table
  for (let at = 0; at < count; at++) next = next.edit([{ rank: next.nextRank, after: {} }])
  return next
}

describe('what is derived from rows', () => {
  it('is asked for by many and made once, and at hand from then on', async () => {
    const size = new Size()
    const table = open(3)
    const first = table.derive(size)
    expect(first).toBeInstanceOf(Promise)
    expect(table.derive(size)).toBe(first)
    expect(await first).toBe(3)
    expect(table.derive(size)).toBe(3)
    expect(size.built).toBe(1)
  })

  it('is brought up to date instead of being made again, also while it is being made', async () => {
    const size = new Size()
    const table = open(3)
    const first = table.derive(size)
    const second = add(table).derive(size)
    const third = add(add(table)).derive(size)
    expect(await Promise.all([first, second, third])).toEqual([3, 4, 5])
    expect(await add(table, 3).derive(size)).toBe(6)
    expect([size.built, size.updated]).toEqual([1, 3])
  })

  it('is made again after more changes than that is worth', async () => {
    const size = new Size()
    const table = open(3)
    await table.derive(size)
    expect(await add(table, 2048).derive(size)).toBe(2051)
    expect([size.built, size.updated]).toEqual([1, 1])
    expect(await add(table, 2049).derive(size)).toBe(2052)
    expect([size.built, size.updated]).toEqual([2, 1])
  })

  it('is tried again where it could not be made', async () => {
    const size = new Size()
    const table = open(3)
    size.fails = true
    await expect(table.derive(size)).rejects.toThrow('no')
    await expect(add(table).derive(size)).rejects.toThrow('no')
    size.fails = false
    expect(await table.derive(size)).toBe(3)
    expect(await add(table).derive(size)).toBe(4)
  })

  it('is let go where more is kept than there is room for, the least recently used first', async () => {
    const all = Array.from({ length: 49 }, (_, at) => new Size(`size ${at}`))
    const table = open(3)
    for (const size of all.slice(0, 48)) await table.derive(size)
    await table.derive(all[0] ?? new Size())
    await table.derive(all[48] ?? new Size())
    for (const size of all.slice(0, 3)) await table.derive(size)
    expect(all.slice(0, 3).map(({ built }) => built)).toEqual([1, 2, 2])
  })

  it('is let go where nobody asked for it during many versions: it would keep their rows', async () => {
    const [seldom, often] = [new Size('seldom'), new Size('often')]
    let table = open(3)
    await table.derive(seldom)
    for (let at = 0; at < 2000; at++) {
      table = add(table)
      await table.derive(often)
      if (at === 900) await table.derive(seldom)
    }
    expect([seldom.built, seldom.updated]).toEqual([1, 1])
    await table.derive(seldom)
    expect([seldom.built, often.built]).toEqual([2, 1])
  })
})

const change = fc.record({
  kind: fc.constantFrom('add', 'replace', 'remove'),
  at: fc.nat(),
  // Now and then one that fits into no index, and cannot even be compared.
  row: fc.oneof(
    { weight: 9, arbitrary: fields },
    fc.constant({ text: { toString: 1 }, number: { valueOf: 1 } }),
  ),
  isAsked: fc.boolean(),
})

describe('an index that is made while rows change', () => {
  it('is the one that is made of them afterwards, for every version', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { maxLength: 40 }),
        path,
        fc.array(change, { maxLength: 12 }),
        async (rows, name, changes) => {
          const column = indexOf(valueColumn(name))
          let table = Table.of(rows)
          const coming = [{ table, index: table.derive(column) }]
          for (const { kind, at, row, isAsked } of changes) {
            const rank = table.size > 0 ? table.rows.rankAt(at % table.size) : 0
            if (kind === 'add') table = table.edit([{ rank: table.nextRank, after: row }])
            else if (kind === 'replace') table = table.edit([{ rank: rank, after: row }])
            else table = table.edit([{ rank: rank }])
            if (isAsked) coming.push({ table, index: table.derive(column) })
          }
          for (const one of coming) {
            const [made, fresh] = [await one.index, await column.build(one.table.rows)]
            expect(made.items()).toEqual(fresh.items())
            expect(made.ranks()).toEqual(fresh.ranks())
          }
        },
      ),
      runs(150),
    )
  })
})
