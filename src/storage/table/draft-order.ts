import type { Row } from '../types.ts'
import type { Collection } from './collection.ts'
import type { DraftedRows } from './draft-ids.ts'
import { mergeAtPlaces } from './merge-at-places.ts'
import type { RowStates } from './row-states.ts'

const NONE: ReadonlySet<Row> = new Set()

/**
 * The rows of a draft in order. The order follows from the changes, unless rows were inserted before the end: from then
 * on it is stored explicitly. Call each method before the change is made.
 */
export class DraftOrder implements DraftedRows {
  readonly #base: Collection
  readonly #states: RowStates
  /** Cached until something changes; always kept if there are placed rows. */
  #rows: Row[] | undefined
  /** The origins of rows inserted before the end. */
  #placed = NONE
  #checkpoint: { readonly rows: readonly Row[] | undefined; readonly placed: ReadonlySet<Row> } | undefined

  constructor(base: Collection, states: RowStates) {
    this.#base = base
    this.#states = states
  }

  get isOrdered(): boolean {
    return this.#placed.size > 0
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.#inNaturalOrder()
    return this.#rows
  }

  /** The number of rows, without building the list if possible. */
  get length(): number {
    if (this.#rows) return this.#rows.length
    return this.#base.rows.length - this.#states.removed.size + this.#states.addedCount
  }

  /** The positions of the placed rows, lowest first. */
  get places(): ReadonlyMap<Row, number> {
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

  noteAddition(row: Row): void {
    this.#begin()
    this.#rows?.push(row)
  }

  noteReplacement(old: Row, next: Row): void {
    this.#begin()
    if (!this.isOrdered) this.#rows = undefined
    else this.#rows?.splice(this.#rows.indexOf(old), 1, next)
  }

  noteRemovals(gone: ReadonlySet<Row>): void {
    this.#begin()
    this.#rows = this.isOrdered ? this.#rows?.filter((row) => !gone.has(row)) : undefined
  }

  /** Rows that were just added, with their target positions. */
  place(rows: ReadonlyMap<Row, number>): void {
    this.#begin()
    const start = this.length - rows.size
    if ([...rows.values()].every((place, at) => place >= start + at)) return
    const others = this.rows.filter((row) => !rows.has(row))
    this.#rows = mergeAtPlaces(others, rows)
    this.#placed = new Set([...this.#placed, ...rows.keys()])
  }

  settle(): void {
    this.#checkpoint = undefined
  }

  rollBack(): void {
    if (!this.#checkpoint) return
    this.#rows = this.#checkpoint.rows?.slice()
    this.#placed = this.#checkpoint.placed
    this.#checkpoint = undefined
  }

  #begin(): void {
    this.#checkpoint ??= { rows: this.isOrdered ? this.#rows?.slice() : undefined, placed: this.#placed }
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
