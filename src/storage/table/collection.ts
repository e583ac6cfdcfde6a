import { fieldText, IdIndex } from '../index/id-index.ts'
import type { Row } from '../types.ts'
import { mergeAtPlaces } from './merge-at-places.ts'
import { HighestId } from './next-id.ts'

/** Above this many removals in one change, a single pass over all rows is cheaper than finding each. */
const MOST_SINGLE_REMOVALS = 32

/** What a commit changes in one collection. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly replaced: ReadonlyMap<Row, Row>
  readonly removed: ReadonlySet<Row>
  /** Target positions of added rows, lowest first; all others are appended. */
  readonly places: ReadonlyMap<Row, number>
}

/** What a draft reads from. */
export interface BaseRows {
  readonly rows: readonly Row[]
  readonly length: number
  /** The first row with this id. */
  find(id: string): Row | undefined
  /** The position of this exact row, or -1. */
  positionOfRow(row: Row): number
  /** Whether positions are found without a pass over all rows, however many are asked for. */
  readonly knowsPositions?: boolean
  /** Whether several rows share an id; then the first one counts. */
  readonly hasDuplicates: boolean
  /** The rows that share this id, in order; empty if it is unique. */
  twinsOf(id: string): readonly Row[]
  /** The highest id, as defined by `nextId`. */
  highestId(): unknown
  /** Whether all ids seen by `highestId` so far are numbers. */
  readonly hasNumbersOnly: boolean
}

/** The rows of one collection. */
export interface Collection extends BaseRows {
  /** Changes with every change by the engine, and is unique across collections. */
  readonly version: number
  /** The change that led to the current rows; undefined if they are as loaded. */
  readonly lastChange: TableChange | undefined
  apply(change: TableChange): void
}

let versions = 0

export function newVersion(): number {
  versions += 1
  return versions
}

/** Rows in an array that is changed in place, with an index of their ids. */
export abstract class StoredRows implements Collection {
  readonly rows: Row[]
  version = newVersion()
  lastChange: TableChange | undefined
  readonly #id: string
  protected readonly ids: IdIndex
  protected readonly highest: HighestId

  /** @param original what the rows were copied from, if anything: then their ids need not be read again */
  constructor(rows: Row[], id: string, original?: StoredRows) {
    this.rows = rows
    this.#id = id
    this.ids = original?.ids.copyFor(rows) ?? new IdIndex(rows, id)
    this.highest = original?.highest.copyFor(rows) ?? new HighestId(rows, id)
  }

  /** The position of the first row with this id, or -1. */
  abstract positionOf(id: string): number

  abstract highestId(): unknown

  get length(): number {
    return this.rows.length
  }

  find(id: string): Row | undefined {
    return this.rows[this.positionOf(id)]
  }

  get hasDuplicates(): boolean {
    return this.ids.hasDuplicates
  }

  positionOfRow(row: Row): number {
    const id = fieldText(row, this.#id)
    const position = id === undefined ? -1 : this.ids.positionOf(id)
    return this.rows[position] === row ? position : this.rows.indexOf(row)
  }

  twinsOf(id: string): readonly Row[] {
    return this.ids.twinsOf(id)
  }

  get hasNumbersOnly(): boolean {
    return this.highest.isNumbersOnly
  }

  /** Rows are found by identity, since others may have changed the array after the change was prepared. */
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
    // With duplicate ids, every removal invalidates the known positions.
    const most = change.removed.size > 1 && this.hasDuplicates ? 0 : MOST_SINGLE_REMOVALS
    if (change.removed.size > most) this.#removeMany(change.removed)
    else for (const row of change.removed) this.#remove(row)
    // Computed on every access.
    const { places } = change
    for (const row of change.added) {
      if (places.has(row)) continue
      this.rows.push(row)
      this.noteAddition(row)
    }
    if (places.size > 0) this.#place(places)
  }

  /** Hooks for subclasses that keep indexes, called before each step that changes the rows. */
  protected beginChange(_change: TableChange): void {}
  protected noteReplacement(_position: number, _old: Row, _next: Row): void {}
  protected noteRemoval(_position: number, _row: Row): void {}
  protected noteAddition(_row: Row): void {}
  /** Any row may have moved. */
  protected noteReordering(): void {}

  /** Rare enough that everything stored by position can be rebuilt. */
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
      // Rows before it have already moved up, in the indexes too.
      if (removed.has(row)) this.noteRemoval(kept, row)
      else this.rows[kept++] = row
    }
    const gone = this.rows.length - kept
    this.rows.length = kept
    this.ids.noteRemovals(removed, gone)
    this.highest.reset()
  }
}
