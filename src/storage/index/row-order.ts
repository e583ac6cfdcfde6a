import type { Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import { RankList } from './rank-list.ts'

/** A row that was added at a rank, or removed from it. */
export interface RowChange {
  readonly kind: 'insert' | 'remove'
  readonly rank: number
  readonly row: Row
}

/** A consistent view of the rows by rank as of its creation. Copy-on-write: copied only if one of them changes. */
export interface RowsView {
  readonly slots: readonly Row[]
  readonly length: number
}

/**
 * Gives every row of a table a rank: a number that it keeps for life, and passes on to the row that replaces it,
 * ascending in row order. Positions shift when an earlier row is removed; what indexes store must not.
 */
export class RowOrder {
  /** The rows by rank: the table's own array until a row is removed from it. */
  #slots: Row[]
  /** The rank at each position, once they differ. */
  #ranks: RankList | undefined
  /** Active views of the current rows. */
  #views = new Set<{ slots: readonly Row[] }>()

  constructor(rows: Row[]) {
    this.#slots = rows
  }

  /** By rank, with `TOMBSTONE` for removed rows. Changed in place: copy it to keep it. */
  get slots(): readonly Row[] {
    return this.#slots
  }

  /** Number of tombstones. */
  get gaps(): number {
    return this.#ranks ? this.#slots.length - this.#ranks.length : 0
  }

  /** Runs the work with a view of the rows. */
  *whileViewed<Result>(work: (view: RowsView) => Work<Result>): Work<Result> {
    const view = { slots: this.slots, length: this.slots.length }
    this.#views.add(view)
    try {
      return yield* work(view)
    } finally {
      this.#views.delete(view)
    }
  }

  /** Call before rows change in any way other than the methods below. */
  keepViews(): void {
    if (this.#views.size === 0) return
    const slots = this.#slots.slice()
    for (const view of this.#views) view.slots = slots
    this.#views.clear()
  }

  rankAt(position: number): number {
    return this.#ranks ? this.#ranks.at(position) : position
  }

  /** Call after the row was appended to the table. Returns its rank. */
  append(row: Row): number {
    if (!this.#ranks) return this.#slots.length - 1
    this.#ranks.insert(this.#ranks.length, this.#slots.length)
    return this.#slots.push(row) - 1
  }

  replace(rank: number, row: Row): void {
    this.keepViews()
    this.#slots[rank] = row
  }

  /** Call before the row is removed from the table. */
  remove(position: number): void {
    this.keepViews()
    const ranks = this.#divide()
    this.#slots[ranks.at(position)] = TOMBSTONE
    ranks.remove(position)
  }

  #divide(): RankList {
    if (!this.#ranks) {
      this.#slots = this.#slots.slice()
      this.#ranks = new RankList(Uint32Array.from(this.#slots.keys()))
    }
    return this.#ranks
  }
}
