import { STRETCH, type Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import { entryKey, listOf } from './lookup.ts'
import { Postings } from './postings.ts'
import type { RowChange } from './row-order.ts'

/** Above this many entries in any row, scan the rows instead: keeping the index current would take too long. */
const MOST_ENTRIES = 1000

/** Which rows have which entry in an array of foreign keys, such as `tag_ids`. */
export class KeyListIndex implements ColumnIndex {
  readonly #field: string
  readonly #ranks = new Postings()

  constructor(field: string) {
    this.#field = field
  }

  /** Builds the index of rows by rank. Undefined if any row does not fit. */
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

  /** The ranks, ascending, of the rows with this entry. May be the index's own list: do not keep it. */
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
