import { inStretches, type Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { KeyColumn, Lookup, Row } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import { Postings } from './postings.ts'
import type { RowChange } from './row-order.ts'

/** Which rows have which computed key. */
export class KeyedIndex implements ColumnIndex {
  readonly #column: KeyColumn
  readonly #ranks = new Postings()

  constructor(column: KeyColumn) {
    this.#column = column
  }

  /** Builds the index of rows by rank. */
  static *of(column: KeyColumn, slots: readonly Row[]): Work<KeyedIndex> {
    const index = new KeyedIndex(column)
    yield* inStretches(slots.length, (rank) => {
      const row = slots[rank]
      if (row !== undefined && row !== TOMBSTONE) index.insert(rank, row)
    })
    return index
  }

  /** The ranks, ascending, of the rows with this key. May be the index's own list: do not keep it. */
  ranksOf(key: string): readonly number[] {
    return this.#ranks.of(key)
  }

  insert(rank: number, row: Row): boolean {
    for (const key of this.#column.keysOf(row)) this.#ranks.add(key, rank)
    return true
  }

  remove(rank: number, row: Row): void {
    for (const key of this.#column.keysOf(row)) this.#ranks.delete(key, rank)
  }

  catchUp(changes: readonly RowChange[]): boolean {
    for (const { kind, rank, row } of changes) this[kind](rank, row)
    return true
  }
}

/** The same without an index: groups rows once. */
export function* groupByKeys(rows: readonly Row[], { keysOf }: KeyColumn): Work<Lookup> {
  const groups = new Map<string, Row[]>()
  yield* inStretches(rows.length, (at) => {
    const row = rows[at]
    if (row === undefined) return
    for (const key of keysOf(row)) {
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    }
  })
  return (key) => groups.get(key) ?? []
}
