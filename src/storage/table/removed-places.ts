import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Row } from '../types.ts'
import type { Collection } from './collection.ts'

/** Past so many, one walk over all rows finds their places faster than a look for each. */
const FEW = 32

/** Where the rows of a base stand that a draft has taken out, so that the places of the others can be counted. */
export class RemovedPlaces {
  readonly #base: Collection
  #pending: Row[] = []
  /** In ascending order. */
  #places: number[] = []

  constructor(base: Collection) {
    this.#base = base
  }

  /** To be told of each base row that is taken out. */
  note(row: Row): void {
    this.#pending.push(row)
  }

  /** How many of them stood before this place of the base. */
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

/** Where each of these rows stands in a collection; those that are gone are left out. */
export function* placesOf(base: Collection, rows: readonly Row[]): Work<ReadonlyMap<Row, number>> {
  const places = new Map<Row, number>()
  if (rows.length <= FEW) {
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
