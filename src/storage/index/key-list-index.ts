import { STRETCH, type Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import { entryKey, listOf } from './lookup.ts'
import { Postings } from './postings.ts'
import type { RowChange } from './row-order.ts'

/** With a longer list among them, rows are gone through instead: to follow the writes of such a row would take too long. */
const MOST_ENTRIES = 1000

/** Which rows have which entry in a list: `tag_ids`. */
export class KeyListIndex implements ColumnIndex {
  readonly #field: string
  readonly #ranks = new Postings()

  constructor(field: string) {
    this.#field = field
  }

  /** Of the rows by rank. Undefined where any of them does not fit in. */
  static *of(field: string, slots: readonly Row[]): Work<KeyListIndex | undefined> {
    const index = new KeyListIndex(field)
    let seen = 0
    for (const [rank, row] of slots.entries()) {
      if (row !== TOMBSTONE && !index.insert(rank, row)) return undefined
      const before = seen
      seen += 1 + (listOf(row, field)?.length ?? 0)
      if (Math.floor(seen / STRETCH) > Math.floor(before / STRETCH)) yield
    }
    return index
  }

  /** The ranks, ascending, of the rows with this entry. May be the index's own list: not to be kept. */
  ranksOf(entry: string): readonly number[] {
    return this.#ranks.of(entry)
  }

  insert(rank: number, row: Row): boolean {
    const list = listOf(row, this.#field) ?? []
    if (list.length > MOST_ENTRIES) return false
    for (const key of keysOf(list)) this.#ranks.add(key, rank)
    return true
  }

  remove(rank: number, row: Row): void {
    for (const key of keysOf(listOf(row, this.#field) ?? [])) this.#ranks.delete(key, rank)
  }

  catchUp(changes: readonly RowChange[]): boolean {
    for (const { kind, rank, row } of changes) {
      if (kind === 'remove') this.remove(rank, row)
      else if (!this.insert(rank, row)) return false
    }
    return true
  }
}

function keysOf(list: readonly unknown[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const entry of list) {
    const key = entryKey(entry)
    if (key !== undefined) keys.add(key)
  }
  return keys
}
