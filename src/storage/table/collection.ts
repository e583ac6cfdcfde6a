import { IdIndex, idOf } from '../index/id-index.ts'
import type { Row } from '../types.ts'
import { mergeAtPlaces } from './merge-at-places.ts'
import { HighestId } from './next-id.ts'

/** Past this many removals together, one walk over all rows is cheaper than finding each. */
const MOST_SINGLE_REMOVALS = 32

/** What a commit does to one collection. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly replaced: ReadonlyMap<Row, Row>
  readonly removed: ReadonlySet<Row>
  /** Where added rows are to stand, lowest first; the others stand at the end. */
  readonly places: ReadonlyMap<Row, number>
}

let versions = 0

function newVersion(): number {
  versions += 1
  return versions
}

/** The rows of one collection: an array that is changed in place, with what is known of its ids. */
export abstract class Collection {
  readonly rows: Row[]
  /** Another one after every change that the engine makes, and none that any other collection ever had. */
  version = newVersion()
  /** What made the rows what they are; undefined while they are as they came. */
  lastChange: TableChange | undefined
  readonly #id: string
  protected readonly ids: IdIndex
  protected readonly highest: HighestId

  constructor(rows: Row[], id: string) {
    this.rows = rows
    this.#id = id
    this.ids = new IdIndex(rows, id)
    this.highest = new HighestId(rows, id)
  }

  /** The position of the first row with this id, or -1. */
  abstract positionOf(id: string): number

  /** The highest id, as `nextId` goes by it. */
  abstract highestId(): unknown

  get hasDuplicates(): boolean {
    return this.ids.hasDuplicates
  }

  /** Where this very row stands, or -1. */
  positionOfRow(row: Row): number {
    const id = idOf(row, this.#id)
    const position = id === undefined ? -1 : this.ids.positionOf(id)
    return this.rows[position] === row ? position : this.rows.indexOf(row)
  }

  /** The rows with this id, in their order, where it stands in several. */
  twinsOf(id: string): readonly Row[] {
    return this.ids.twinsOf(id)
  }

  /** Whether all ids are numbers, as far as `highestId` was asked for. */
  get hasNumbersOnly(): boolean {
    return this.highest.isNumbersOnly
  }

  /** Found by identity, since the array may have been changed by others since the change was prepared. */
  apply(change: TableChange): void {
    this.version = newVersion()
    this.lastChange = change
    this.beginChange(change)
    for (const [old, next] of change.replaced) {
      const position = this.positionOfRow(old)
      if (position < 0) continue
      this.noteReplacement(position, old, next)
      this.rows[position] = next
    }
    // Where ids stand in several rows, what is known of their places is worth nothing after each removal.
    const most = change.removed.size > 1 && this.hasDuplicates ? 0 : MOST_SINGLE_REMOVALS
    if (change.removed.size > most) this.#removeMany(change.removed)
    else for (const row of change.removed) this.#remove(row)
    // Counted each time it is asked for.
    const { places } = change
    for (const row of change.added) {
      if (places.has(row)) continue
      this.rows.push(row)
      this.noteAddition(row)
    }
    if (places.size > 0) this.#place(places)
  }

  /** What a collection with more to keep current is told, before each step that changes the rows. */
  protected beginChange(_change: TableChange): void {}
  protected noteReplacement(_position: number, _old: Row, _next: Row): void {}
  protected noteRemoval(_position: number, _row: Row): void {}
  protected noteAddition(_row: Row): void {}
  /** All rows may stand elsewhere now. */
  protected noteReordering(): void {}

  /** Rare enough that all which goes by position may be built again. */
  #place(places: ReadonlyMap<Row, number>): void {
    this.noteReordering()
    const merged = mergeAtPlaces(this.rows, places)
    this.rows.length = 0
    for (const row of merged) this.rows.push(row)
    this.ids.reset()
    this.highest.reset()
  }

  #remove(row: Row): void {
    const position = this.positionOfRow(row)
    if (position < 0) return
    this.noteRemoval(position, row)
    this.rows.splice(position, 1)
    this.ids.noteRemovals([row], 1)
    this.highest.noteRemoval(row)
  }

  #removeMany(removed: ReadonlySet<Row>): void {
    let kept = 0
    for (const row of this.rows) {
      // Those before it have moved up already, in the indexes too.
      if (removed.has(row)) this.noteRemoval(kept, row)
      else this.rows[kept++] = row
    }
    const gone = this.rows.length - kept
    this.rows.length = kept
    this.ids.noteRemovals(removed, gone)
    this.highest.reset()
  }
}
