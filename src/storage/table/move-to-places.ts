import { idOf } from '../index/id-index.ts'
import type { Row } from '../types.ts'

/** Moves rows that were added at the end, given by their ids, to the places that they are to have, lowest first. */
export function moveToPlaces(rows: Row[], places: ReadonlyMap<string, number>, id: string): Row[] {
  for (const [text, place] of places) {
    const from = rows.findLastIndex((row) => idOf(row, id) === text)
    if (from > place) rows.splice(place, 0, ...rows.splice(from, 1))
  }
  return rows
}
