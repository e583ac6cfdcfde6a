import { IdIndex, idOf } from '../index/id-index.ts'
import { TableIndexes } from '../index/table-indexes.ts'
import type { Row } from '../types.ts'
import { moveToPlaces } from './move-to-places.ts'
import { HighestId } from './next-id.ts'

/** Past this many removals at once, one walk over all rows is cheaper than finding each. */
const MOST_SINGLE_REMOVALS = 32

/** Past this many rows changed at once, or gaps where rows were, indexes are built anew when next asked for. */
const MOST_SINGLE_CHANGES = 1000

/** Each change moves what stands behind it in every index: so many places in all are moved in a tenth of a second. */
const MOST_MOVES = 500_000_000

/** What a commit does to one collection. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly replaced: ReadonlyMap<Row, Row>
  readonly removed: ReadonlySet<Row>
  /** Where added rows are to stand, by their ids; the others stand at the end. */
  readonly places: ReadonlyMap<string, number>
}

let versions = 0

function newVersion(): number {
  versions += 1
  return versions
}

/** One collection: its array, changed in place, and what was learnt about it, kept current by writes. */
export class Table {
  readonly rows: Row[]
  /** Another one after every change that the store makes, and none that any other table ever had. */
  version = newVersion()
  /** What made the rows what they are; undefined while they are as they came. */
  lastChange: TableChange | undefined
  readonly #id: string
  readonly #index: IdIndex
  readonly #highest: HighestId
  #indexes: TableIndexes | undefined

  constructor(rows: Row[], id: string) {
    this.rows = rows
    this.#id = id
    this.#index = new IdIndex(rows, id)
    this.#highest = new HighestId(rows, id)
  }

  get hasDuplicates(): boolean {
    return this.#index.hasDuplicates
  }

  get hasListsAsIds(): boolean {
    return this.#index.hasLists
  }

  /** What is known about its columns. Only to be asked while nobody but the store changes the rows. */
  get indexes(): TableIndexes {
    this.#indexes ??= new TableIndexes(this.rows)
    return this.#indexes
  }

  positionOf(id: string, isOwned: boolean): number {
    return this.#index.positionOf(id, isOwned)
  }

  /** Where this very row stands, or -1. */
  positionOfRow(row: Row): number {
    const id = idOf(row, this.#id)
    const position = id === undefined ? -1 : this.#index.positionOf(id, true)
    return this.rows[position] === row ? position : this.rows.indexOf(row)
  }

  /** The rows with this id, in their order, where it stands in several. */
  twinsOf(id: string): readonly Row[] {
    return this.#index.twinsOf(id)
  }

  /** Whether all ids are numbers, as far as `highestId` was asked for. */
  get hasNumbersOnly(): boolean {
    return this.#highest.isNumbersOnly
  }

  highestId(isOwned: boolean): unknown {
    return this.#highest.value(isOwned)
  }

  /** Found by identity, since the array may have been changed by others since the change was prepared. */
  apply(change: TableChange): void {
    this.version = newVersion()
    this.lastChange = change
    this.#dropIndexesBefore(change)
    for (const [old, next] of change.replaced) {
      const position = this.positionOfRow(old)
      if (position < 0) continue
      this.#indexes?.noteReplacement(position, old, next)
      this.rows[position] = next
    }
    // Where ids stand in several rows, what is known of their places is worth nothing after each removal.
    const most = change.removed.size > 1 && this.hasDuplicates ? 0 : MOST_SINGLE_REMOVALS
    if (change.removed.size > most) this.#removeMany(change.removed)
    else for (const row of change.removed) this.#remove(row)
    for (const row of change.added) {
      this.rows.push(row)
      this.#indexes?.noteAddition(row)
    }
    if (change.places.size > 0) this.#place(change.places)
  }

  /** Rare enough that all which goes by position may be made anew. */
  #place(places: ReadonlyMap<string, number>): void {
    this.#indexes?.order.keepViews()
    moveToPlaces(this.rows, places, this.#id)
    this.#indexes = undefined
    this.#index.reset()
    this.#highest.reset()
  }

  #dropIndexesBefore({ added, replaced, removed }: TableChange): void {
    if (!this.#indexes) return
    const { order, columns } = this.#indexes
    const changes = added.length + replaced.size + removed.size
    const isLarge = changes > MOST_SINGLE_CHANGES || changes * columns * this.rows.length > MOST_MOVES
    if (!isLarge && order.gaps <= Math.max(MOST_SINGLE_CHANGES, this.rows.length)) return
    order.keepViews()
    this.#indexes = undefined
  }

  #remove(row: Row): void {
    const position = this.positionOfRow(row)
    if (position < 0) return
    this.#indexes?.noteRemoval(position, row)
    this.rows.splice(position, 1)
    this.#index.noteRemovals([row], 1)
    this.#highest.noteRemoval(row)
  }

  #removeMany(removed: ReadonlySet<Row>): void {
    let kept = 0
    for (const row of this.rows) {
      // Those before it have moved up already, in the indexes too.
      if (removed.has(row)) this.#indexes?.noteRemoval(kept, row)
      else this.rows[kept++] = row
    }
    const gone = this.rows.length - kept
    this.rows.length = kept
    this.#index.noteRemovals(removed, gone)
    this.#highest.reset()
  }
}
