import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TableSnapshot } from '../../../src/storage/fork/table-snapshot.ts'
import { IdIndex } from '../../../src/storage/index/id-index.ts'
import { Table } from '../../../src/storage/table/table.ts'
import type { Row } from '../../../src/storage/types.ts'

const IDS = 12

/** Rows and their index. Both are changed together, as a table does it. */
class Indexed {
  readonly rows: Row[]
  readonly index: IdIndex

  constructor(rows: Row[], index = new IdIndex(rows, 'id')) {
    this.rows = rows
    this.index = index
  }

  copy(): Indexed {
    const rows = this.rows.slice()
    return new Indexed(rows, this.index.copyFor(rows))
  }

  /** Two rows with one id come only with other content. */
  add(id: number): void {
    const isTwin = this.rows.some((row) => row.id === id)
    this.rows.push({ id })
    if (isTwin) this.index.reset()
  }

  remove(at: number): void {
    const removed = this.rows.splice(at % Math.max(1, this.rows.length), 1)
    if (removed.length > 0) this.index.noteRemovals(removed, 1)
  }

  check(): void {
    const withId = (id: number) => this.rows.filter((row) => row.id === id)
    const ids = Array.from({ length: IDS }, (_, id) => id)
    const first = ids.map((id) => this.rows.findIndex((row) => row.id === id))
    expect(ids.map((id) => this.index.positionOf(String(id)))).toEqual(first)
    const twins = ids.map(withId).map((rows) => (rows.length > 1 ? rows : []))
    expect(ids.map((id) => this.index.twinsOf(String(id)))).toEqual(twins)
    expect(this.index.hasDuplicates).toBe(twins.some((rows) => rows.length > 0))
  }
}

const step = fc.record({
  who: fc.nat(),
  what: fc.constantFrom('add' as const, 'add' as const, 'remove' as const, 'copy' as const, 'check' as const),
  number: fc.nat({ max: IDS - 1 }),
})

describe('an index of ids', () => {
  it('and its copies each know their own rows, whatever happens to the others', () => {
    const property = fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
      const all = [new Indexed([{ id: 1 }, { id: 2 }, { id: 3 }])]
      for (const { who, what, number } of steps) {
        const one = all[who % all.length]
        if (what === 'add') one?.add(number)
        else if (what === 'remove') one?.remove(number)
        else if (what === 'check') one?.check()
        else if (one) all.push(one.copy())
      }
      for (const one of all) one.check()
    })
    fc.assert(property, { numRuns: 300 })
  })

  it.each([
    ['right away', 0],
    ['a second time, after other changes', 1],
  ])('is not built again for the sessions of a table that changes: %s', (_, earlier) => {
    let reads = 0
    const rowWith = (id: number): Row => ({
      get id() {
        reads += 1
        return id
      },
    })
    const table = new Table(
      Array.from({ length: 5000 }, (_none, id) => rowWith(id)),
      'id',
    )
    table.find('0')
    table.highestId()
    const nothing = { added: [], replaced: new Map(), removed: new Set<Row>(), places: new Map() }
    const change = () => table.apply({ ...nothing, added: [rowWith(table.length)] })
    for (let turn = 0; turn < earlier; turn += 1) {
      new TableSnapshot(table, 'id').detach()
      change()
      table.find('0')
    }
    const snapshot = new TableSnapshot(table, 'id')
    const { length } = table
    table.highestId()
    snapshot.detach()
    change()
    reads = 0
    expect(snapshot.find('4999')).toBe(table.rows[4999])
    expect(snapshot.find(String(length))).toBeUndefined()
    expect(snapshot.highestId()).toBe(length - 1)
    expect(table.find(String(length))).toBe(table.rows[length])
    expect(reads).toBeLessThan(100)
  })
})
