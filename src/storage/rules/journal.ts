import type { Row } from '../types.ts'
import type { Label } from './field-errors.ts'

export interface Written {
  /** The row before the change; undefined if it is new. */
  readonly before: Row | undefined
  readonly label: Label
}

/** What one change did to rows, as far as rules have to judge it. */
export class Journal {
  /** By collection and row, as the change leaves it. */
  readonly written = new Map<string, Map<Row, Written>>()
  /** By collection. */
  readonly removed = new Map<string, Set<Row>>()

  noteInsertion(collection: string, row: Row, label: Label): void {
    this.#writtenIn(collection).set(row, { before: undefined, label })
  }

  noteReplacement(collection: string, old: Row, next: Row, label: Label): void {
    const rows = this.#writtenIn(collection)
    const earlier = rows.get(old)
    rows.delete(old)
    rows.set(next, { before: earlier ? earlier.before : old, label })
  }

  noteRemovals(collection: string, rows: readonly Row[]): void {
    const written = this.written.get(collection)
    const removed = this.removed.get(collection) ?? new Set()
    this.removed.set(collection, removed)
    for (const row of rows) {
      written?.delete(row)
      removed.add(row)
    }
  }

  #writtenIn(collection: string): Map<Row, Written> {
    const known = this.written.get(collection)
    if (known) return known
    const rows = new Map<Row, Written>()
    this.written.set(collection, rows)
    return rows
  }
}
