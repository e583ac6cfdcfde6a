import type { Work } from '../../work/in-slices.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import { RankList } from './rank-list.ts'

/** A row that came to a rank, or went from it. */
export interface RowChange {
  readonly kind: 'insert' | 'remove'
  readonly rank: number
  readonly row: Row
}

/** The rows by rank as they were when it was asked for, as many as there were then. Copied only if one of them changes. */
export interface RowsView {
  readonly slots: readonly Row[]
  readonly length: number
}

/**
 * Gives every row of a table a rank: a number that it keeps for life, and hands down to the row that replaces it,
 * ascending in the order of the rows. Positions move when a row before them goes; what indexes note down must not.
 */
export class RowOrder {
  /** The rows by rank: the table's own array until a row is removed from it. */
  #slots: Row[]
  /** The rank at each position, once they differ. */
  #ranks: RankList | undefined
  /** Those who look at the rows as they are now. */
  #views = new Set<{ slots: readonly Row[] }>()

  constructor(rows: Row[]) {
    this.#slots = rows
  }

  /** By rank, `TOMBSTONE` where there is none any more. Changed in place: copy it to keep it. */
  get slots(): readonly Row[] {
    return this.#slots
  }

  /** How many slots hold no row. */
  get gaps(): number {
    return this.#ranks ? this.#slots.length - this.#ranks.length : 0
  }

  /** Does the work with a view of the rows. */
  *whileViewed<Result>(work: (view: RowsView) => Work<Result>): Work<Result> {
    const view = { slots: this.slots, length: this.slots.length }
    this.#views.add(view)
    try {
      return yield* work(view)
    } finally {
      this.#views.delete(view)
    }
  }

  /** To be called before rows change otherwise than by the methods below. */
  keepViews(): void {
    if (this.#views.size === 0) return
    const slots = this.#slots.slice()
    for (const view of this.#views) view.slots = slots
    this.#views.clear()
  }

  rankAt(position: number): number {
    return this.#ranks ? this.#ranks.at(position) : position
  }

  /** To be called when the row stands at the end of the table. Returns its rank. */
  append(row: Row): number {
    if (!this.#ranks) return this.#slots.length - 1
    this.#ranks.insert(this.#ranks.length, this.#slots.length)
    return this.#slots.push(row) - 1
  }

  replace(rank: number, row: Row): void {
    this.keepViews()
    this.#slots[rank] = row
  }

  /** To be called before the row is taken out of the table. */
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
