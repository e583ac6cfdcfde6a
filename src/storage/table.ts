import { IdIndex, idOf } from './id-index.ts'
import { HighestId } from './next-id.ts'
import type { Row } from './types.ts'

/** Past this many removals at once, one walk over all rows is cheaper than finding each. */
const MOST_SINGLE_REMOVALS = 32

/** What a commit does to one collection. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly replaced: ReadonlyMap<Row, Row>
  readonly removed: ReadonlySet<Row>
}

/** One collection: its array, changed in place, and what was learnt about it, kept current by writes. */
export class Table {
  readonly rows: Row[]
  /** Another one after every change that the store makes. */
  version = 0
  readonly #id: string
  readonly #index: IdIndex
  readonly #highest: HighestId

  constructor(rows: Row[], id: string) {
    this.rows = rows
    this.#id = id
    this.#index = new IdIndex(rows, id)
    this.#highest = new HighestId(rows, id)
  }

  get hasDuplicates(): boolean {
    return this.#index.hasDuplicates
  }

  positionOf(id: string, isOwned: boolean): number {
    return this.#index.positionOf(id, isOwned)
  }

  highestId(isOwned: boolean): unknown {
    return this.#highest.value(isOwned)
  }

  /** Found by identity, since the array may have been changed by others since the change was prepared. */
  apply(change: TableChange): void {
    this.version++
    for (const [old, next] of change.replaced) {
      const position = this.#positionOfRow(old)
      if (position >= 0) this.rows[position] = next
    }
    if (change.removed.size > MOST_SINGLE_REMOVALS) this.#removeMany(change.removed)
    else for (const row of change.removed) this.#remove(row)
    for (const row of change.added) this.rows.push(row)
  }

  #remove(row: Row): void {
    const position = this.#positionOfRow(row)
    if (position < 0) return
    this.#index.noteRemoval(position)
    this.rows.splice(position, 1)
    this.#highest.noteRemoval(row)
  }

  #removeMany(removed: ReadonlySet<Row>): void {
    let kept = 0
    for (const row of this.rows) {
      if (!removed.has(row)) this.rows[kept++] = row
    }
    this.rows.length = kept
    this.#index.reset()
    this.#highest.reset()
  }

  #positionOfRow(row: Row): number {
    const id = idOf(row, this.#id)
    const position = id === undefined ? -1 : this.#index.positionOf(id, true)
    return this.rows[position] === row ? position : this.rows.indexOf(row)
  }
}
