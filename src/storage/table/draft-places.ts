import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Row } from '../types.ts'
import type { BaseRows } from './collection.ts'
import type { DraftOrder } from './draft-order.ts'
import { placesOf, RemovedPlaces } from './removed-places.ts'
import type { RowDifference, RowStates } from './row-states.ts'

type Places = Map<Row, number>
/** A row that the current change removed, or replaced where its id cannot identify it. */
export type Gone = RowDifference & { readonly before: Row }
export type Came = RowDifference & { readonly after: Row }

/** Computes the positions of a draft's rows, without a full scan if possible. */
export class DraftPlaces {
  readonly #base: BaseRows
  readonly #states: RowStates
  readonly #order: DraftOrder
  #removed: RemovedPlaces

  constructor(base: BaseRows, states: RowStates, order: DraftOrder) {
    this.#base = base
    this.#states = states
    this.#order = order
    this.#removed = new RemovedPlaces(base)
  }

  /** Call for each removed row. */
  noteRemoval(row: Row): void {
    const origin = this.#states.originOf(row)
    if (!this.#states.isInsertion(origin)) this.#removed.note(origin)
  }

  rollBack(): void {
    this.#removed = new RemovedPlaces(this.#base)
    for (const row of this.#states.removed) this.#removed.note(row)
  }

  /** Number of rows now before this one. */
  *of(row: Row): Work<number> {
    const places = yield* this.after([{ origin: this.#states.originOf(row), before: row, after: row }])
    return places.get(row) ?? -1
  }

  /** The positions of rows that the current change added. */
  *after(came: readonly Came[]): Work<Places> {
    if (this.#order.isOrdered) {
      const rows = rowsOf(came, 'after')
      const known = this.#order.placesOf(rows)
      if (known) return new Map(rows.map((row) => [row, known.get(row) ?? -1]))
      return yield* placesIn(this.#order.rows, rows)
    }
    const { base, inserted } = this.#split(came)
    const places: Places = new Map()
    const positions = yield* placesOf(
      this.#base,
      base.map(({ origin }) => origin),
    )
    for (const { origin, after } of base) {
      const position = positions.get(origin)
      if (position !== undefined) places.set(after, position - (yield* this.#removed.countBefore(position)))
    }
    const kept = this.#base.length - this.#states.removed.size
    // Rows added last are at the end.
    if (inserted.every(({ before }) => before === undefined)) {
      const start = kept + this.#states.addedCount - inserted.length
      for (const [at, { after }] of inserted.entries()) places.set(after, start + at)
    } else {
      const among = yield* placesIn(this.#states.added, rowsOf(inserted, 'after'))
      for (const [row, at] of among) places.set(row, kept + at)
    }
    return places
  }

  /** The positions of rows before the current change. */
  *before(gone: readonly Gone[]): Work<Places> {
    const { writtenBefore } = this.#order
    if (writtenBefore) return yield* placesIn(writtenBefore, rowsOf(gone, 'before'))
    const { base, inserted } = this.#split(gone)
    const positions = yield* placesOf(
      this.#base,
      base.map(({ origin }) => origin),
    )
    const places: Places = new Map()
    /** How many rows before this one are counted as gone, but were still there. */
    let back = 0
    const ascending = base
      .flatMap((one) => ({ ...one, position: positions.get(one.origin) ?? -1 }))
      .filter(({ position }) => position >= 0)
      .sort((a, b) => a.position - b.position)
    for (const { before, after, position } of ascending) {
      places.set(before, position - (yield* this.#removed.countBefore(position)) + back)
      if (after === undefined) back++
    }
    if (inserted.length === 0) return places
    const kept = this.#base.length - this.#states.removed.size + back
    const among = yield* placesIn(
      [...this.#states.insertedBefore()],
      inserted.map(({ origin }) => origin),
    )
    for (const { origin, before } of inserted) places.set(before, kept + (among.get(origin) ?? 0))
    return places
  }

  #split<Each extends RowDifference>(all: readonly Each[]): { base: Each[]; inserted: Each[] } {
    const inserted = all.filter(({ origin }) => this.#states.isInsertion(origin))
    const base = all.filter(({ origin }) => !this.#states.isInsertion(origin))
    return { base, inserted }
  }
}

function rowsOf<K extends 'before' | 'after'>(
  all: readonly (RowDifference & Readonly<Record<K, Row>>)[],
  side: K,
): readonly Row[] {
  return all.map((one) => one[side])
}

function* placesIn(rows: readonly Row[], wanted: readonly Row[]): Work<Places> {
  const set = new Set(wanted)
  const places: Places = new Map()
  for (const [place, row] of rows.entries()) {
    if (set.has(row)) places.set(row, place)
    if (place % STRETCH === STRETCH - 1) yield
  }
  return places
}
