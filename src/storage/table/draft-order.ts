import type { Row } from '../types.ts'
import type { BaseRows } from './collection.ts'
import type { DraftedRows } from './draft-ids.ts'
import { mergeAtPlaces } from './merge-at-places.ts'
import type { RowStates } from './row-states.ts'

const NONE: ReadonlySet<Row> = new Set()

/**
 * The rows of a draft in order. The order follows from the changes, unless rows were inserted before the end. Then it
 * follows from their places, until something else changes: from then on it is stored explicitly. Call each method before the
 * change is made.
 */
export class DraftOrder implements DraftedRows {
  readonly #base: BaseRows
  readonly #states: RowStates
  /** The rows, if some of them were placed and others changed since. */
  #rows: Row[] | undefined
  /** The origins of rows that were placed last, with their positions, lowest first: their list is built on demand. */
  #lastPlaced: ReadonlyMap<Row, number> | undefined
  /** The rows in natural order, until something changes or memory is needed: a fork lives long. */
  #natural: WeakRef<Row[]> | undefined
  /** The origins of rows inserted before the end. */
  #placed = NONE
  #checkpoint: { readonly rows: readonly Row[] | undefined; readonly placed: ReadonlySet<Row> } | undefined

  constructor(base: BaseRows, states: RowStates) {
    this.#base = base
    this.#states = states
  }

  get isOrdered(): boolean {
    return this.#placed.size > 0
  }

  get rows(): readonly Row[] {
    const known = this.#rows ?? this.#natural?.deref()
    if (known) return known
    if (this.#lastPlaced) return this.#writeDown(this.#lastPlaced)
    const rows = this.#inNaturalOrder()
    this.#natural = new WeakRef(rows)
    return rows
  }

  /** The number of rows, without building the list if possible. */
  get length(): number {
    if (this.#rows) return this.#rows.length
    return this.#base.length - this.#states.removed.size + this.#states.addedCount
  }

  /** The positions of the placed rows, lowest first. */
  get places(): ReadonlyMap<Row, number> {
    if (this.#lastPlaced) return this.#asTheyAreNow(this.#lastPlaced)
    const placed = new Set([...this.#placed].map((origin) => this.#states.now(origin)))
    const places = new Map<Row, number>()
    if (placed.size === 0) return places
    for (const [place, row] of this.rows.entries()) if (placed.has(row)) places.set(row, place)
    return places
  }

  /** The rows before the current change, if their order had to be stored. */
  get writtenBefore(): readonly Row[] | undefined {
    return this.#checkpoint?.rows
  }

  /** The positions of these rows, if they follow without building the list. */
  placesOf(rows: readonly Row[]): ReadonlyMap<Row, number> | undefined {
    const places = this.#lastPlaced && this.places
    return places && rows.every((row) => places.has(row)) ? places : undefined
  }

  noteAddition(row: Row): void {
    this.#begin()
    const known = this.#rows ?? this.#natural?.deref()
    known?.push(row)
  }

  noteReplacement(old: Row, next: Row): void {
    this.#begin()
    this.#natural = undefined
    this.#rows?.splice(this.#rows.indexOf(old), 1, next)
  }

  noteRemovals(gone: ReadonlySet<Row>): void {
    this.#begin()
    if (this.#lastPlaced) this.#writeDown(this.#lastPlaced)
    this.#natural = undefined
    this.#rows = this.#rows?.filter((row) => !gone.has(row))
  }

  /** Rows that were just added, with their target positions. */
  place(rows: ReadonlyMap<Row, number>): void {
    this.#begin()
    const start = this.length - rows.size
    if ([...rows.values()].every((place, at) => place >= start + at)) return
    if (this.isOrdered) {
      const others = this.rows.filter((row) => !rows.has(row))
      this.#rows = mergeAtPlaces(others, rows)
      this.#lastPlaced = undefined
    } else this.#lastPlaced = new Map(exactPlaces(rows, start))
    this.#natural = undefined
    this.#placed = new Set([...this.#placed, ...rows.keys()])
  }

  settle(): void {
    this.#checkpoint = undefined
  }

  rollBack(): void {
    if (!this.#checkpoint) return
    this.#natural = undefined
    this.#lastPlaced = undefined
    this.#rows = this.#checkpoint.rows?.slice()
    this.#placed = this.#checkpoint.placed
    this.#checkpoint = undefined
  }

  #begin(): void {
    if (this.#checkpoint) return
    // What was there before has to be known even after the next change.
    if (this.#lastPlaced) this.#writeDown(this.#lastPlaced)
    this.#checkpoint = { rows: this.#rows?.slice(), placed: this.#placed }
  }

  #asTheyAreNow(places: ReadonlyMap<Row, number>): ReadonlyMap<Row, number> {
    const now = new Map<Row, number>()
    for (const [origin, place] of places) {
      const row = this.#states.now(origin)
      // None was removed since.
      if (row) now.set(row, place)
    }
    return now
  }

  #writeDown(lastPlaced: ReadonlyMap<Row, number>): Row[] {
    const places = this.#asTheyAreNow(lastPlaced)
    const others = this.#inNaturalOrder().filter((row) => !places.has(row))
    this.#rows = mergeAtPlaces(others, places)
    this.#lastPlaced = undefined
    return this.#rows
  }

  #inNaturalOrder(): Row[] {
    const { added, replaced, removed } = this.#states
    const kept = this.#base.rows.slice()
    for (const [old, next] of replaced) {
      const position = this.#base.positionOfRow(old)
      if (position >= 0) kept[position] = next
    }
    return (removed.size > 0 ? kept.filter((row) => !removed.has(row)) : kept).concat(added)
  }
}

/** Where rows get to that are merged with this many others: past the end means appended. */
function* exactPlaces(rows: ReadonlyMap<Row, number>, others: number): Generator<[Row, number]> {
  let before = -1
  let count = 0
  for (const [row, place] of rows) {
    before = Math.max(before + 1, Math.min(place, others + count++))
    yield [row, before]
  }
}
