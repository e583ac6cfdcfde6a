import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Row } from '../types.ts'
import type { BaseRows } from './collection.ts'

/** Above this many, one pass over all rows is faster than one lookup each. */
const FEW = 32

/** The base positions of rows that a draft removed, used to compute the positions of the rest. */
export class RemovedPlaces {
  readonly #base: BaseRows
  #pending: Row[] = []
  /** In ascending order. */
  #places: number[] = []

  constructor(base: BaseRows) {
    this.#base = base
  }

  /** Call for each removed base row. */
  note(row: Row): void {
    this.#pending.push(row)
  }

  /** Number of removed rows before this base position. */
  *countBefore(place: number): Work<number> {
    yield* this.#catchUp()
    return lowerBound(this.#places, place)
  }

  *#catchUp(): Work<void> {
    if (this.#pending.length === 0) return
    const places = [...(yield* placesOf(this.#base, this.#pending)).values()]
    this.#pending = []
    if (places.length > FEW) this.#places = ascending([...this.#places, ...places])
    else for (const place of places) this.#places.splice(lowerBound(this.#places, place), 0, place)
  }
}

/** The position of each of these rows in a collection; missing rows are left out. */
export function* placesOf(base: BaseRows, rows: readonly Row[]): Work<ReadonlyMap<Row, number>> {
  const places = new Map<Row, number>()
  if (rows.length <= FEW || base.knowsPositions) {
    for (const row of rows) {
      const place = base.positionOfRow(row)
      if (place >= 0) places.set(row, place)
    }
    return places
  }
  const wanted = new Set(rows)
  for (const [place, row] of base.rows.entries()) {
    if (wanted.has(row)) places.set(row, place)
    if (place % STRETCH === STRETCH - 1) yield
  }
  return places
}

function ascending(places: readonly number[]): number[] {
  return Array.from(Float64Array.from(places).sort())
}

function lowerBound(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
