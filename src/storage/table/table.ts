import { TableIndexes } from '../index/table-indexes.ts'
import type { Row } from '../types.ts'
import { StoredRows, type TableChange } from './collection.ts'

/** Above this many changed rows, or tombstones, indexes are rebuilt on the next read. */
const MOST_SINGLE_CHANGES = 1000

/** Each change shifts what follows it in every index. This many shifts in total take a tenth of a second. */
const MOST_MOVES = 500_000_000

/** A collection that only the engine changes: its indexes are reliable, and kept current by writes. */
export class Table extends StoredRows {
  #indexes: TableIndexes | undefined
  #follower: ((change: TableChange) => void) | undefined

  /** Calls the function before each change; undefined ends it. There is only one. */
  follow(follower: ((change: TableChange) => void) | undefined): void {
    this.#follower = follower
  }

  /** Some operators look at the entries of an array that is used as an id. */
  get hasListsAsIds(): boolean {
    return this.ids.hasLists
  }

  get indexes(): TableIndexes {
    this.#indexes ??= new TableIndexes(this.rows)
    return this.#indexes
  }

  /** The index is complete: no scan on a miss. */
  positionOf(id: string): number {
    return this.ids.positionOf(id)
  }

  highestId(): unknown {
    return this.highest.value()
  }

  protected override beginChange(change: TableChange): void {
    this.#follower?.(change)
    if (!this.#indexes) return
    const { added, replaced, removed } = change
    const { order, columns } = this.#indexes
    const changes = added.length + replaced.size + removed.size
    const isLarge = changes > MOST_SINGLE_CHANGES || changes * columns * this.rows.length > MOST_MOVES
    if (isLarge || order.gaps > Math.max(MOST_SINGLE_CHANGES, this.rows.length)) this.noteReordering()
  }

  protected override noteReplacement(position: number, old: Row, next: Row): void {
    this.#indexes?.noteReplacement(position, old, next)
  }

  protected override noteRemoval(position: number, row: Row): void {
    this.#indexes?.noteRemoval(position, row)
  }

  protected override noteAddition(row: Row): void {
    this.#indexes?.noteAddition(row)
  }

  protected override noteReordering(): void {
    this.#indexes?.order.keepViews()
    this.#indexes = undefined
  }
}
