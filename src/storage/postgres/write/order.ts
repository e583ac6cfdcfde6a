import { mergeAtPlaces } from '../../table/merge-at-places.ts'
import type { Row } from '../../types.ts'
import { GAP } from '../layout/tables.ts'
import type { FetchedTable } from '../view/fetched-table.ts'

/** Where the rows of a changed collection stand. */
export interface Order {
  /** Of rows that were added. */
  readonly added: ReadonlyMap<Row, number>
  /** From where rows have to move, and to where. */
  readonly moved: ReadonlyMap<number, number>
  readonly nextPos: number
  readonly isDense: boolean
}

/** How to look at the rows that stay, most of which were not fetched. */
export interface Staying {
  /** The positions of some of them, by how many of them stand before. */
  positionsOf(places: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The positions of all of them, in order, once all rows were fetched. */
  allPositions(): Promise<readonly number[]>
}

/** Finds a place for each row that a change added: at the end, or between others. */
export async function orderOf(table: FetchedTable, staying: Staying): Promise<Order> {
  if (!table.change?.places.size) return orderAtEnd(table)
  return (await orderBetween(table, staying)) ?? renumbered(table, await staying.allPositions())
}

function orderAtEnd(table: FetchedTable): Order {
  const { resource, change } = table
  const { added = [], removed = new Set<Row>() } = change ?? {}
  const left = resource.rows - removed.size
  const gone = [...removed].map((row) => table.posOf(row) ?? 0)
  // Places still follow from positions if nothing but the end is gone.
  const isDense = left === 0 || (resource.isDense && gone.every((pos) => pos >= left * GAP))
  const start = isDense ? left * GAP : resource.nextPos
  return {
    added: new Map(added.map((row, at) => [row, start + at * GAP])),
    moved: new Map(),
    nextPos: start + added.length * GAP,
    isDense,
  }
}

/** Puts new rows between the others, which stay; undefined if there is no room. Looks only at their neighbors. */
async function orderBetween(table: FetchedTable, staying: Staying): Promise<Order | undefined> {
  const { added = [], removed = new Set<Row>(), places = new Map<Row, number>() } = table.change ?? {}
  const left = table.resource.rows - removed.size
  /** Rows by how many of those that stay come before them. */
  const runs = new Map<number, Row[]>()
  const last: [Row, number][] = []
  let count = 0
  for (const [row, place] of places) {
    const before = place - count++
    const run = runs.get(before)
    if (before >= left) last.push([row, before - left + last.length])
    else if (run) run.push(row)
    else runs.set(before, [row])
  }
  const neighbors = new Set([...runs.keys()].flatMap((place) => (place > 0 ? [place - 1, place] : [place])))
  const positions = await staying.positionsOf([...neighbors])
  const stands = new Map<Row, number>()
  for (const [place, run] of runs) {
    const end = positions.get(place) ?? 0
    const start = positions.get(place - 1) ?? end - GAP * (run.length + 1)
    const step = (end - start) / (run.length + 1)
    if (step < 1) return undefined
    for (const [at, row] of run.entries()) stands.set(row, start + Math.floor(step * (at + 1)))
  }
  let { nextPos } = table.resource
  const appended = added.filter((row) => !places.has(row))
  for (const row of mergeAtPlaces(appended, last)) {
    stands.set(row, nextPos)
    nextPos += GAP
  }
  return { added: stands, moved: new Map(), nextPos, isDense: false }
}

/** All rows get positions with room between them. */
function renumbered({ change }: FetchedTable, positions: readonly number[]): Order {
  const { added: rows = [], places = new Map<Row, number>() } = change ?? {}
  const appended = rows.filter((row) => !places.has(row))
  const added = new Map<Row, number>()
  const moved = new Map<number, number>()
  const ordered = mergeAtPlaces<Row | number>([...positions, ...appended], places)
  for (const [at, one] of ordered.entries()) {
    if (typeof one !== 'number') added.set(one, at * GAP)
    else if (one !== at * GAP) moved.set(one, at * GAP)
  }
  return { added, moved, nextPos: ordered.length * GAP, isDense: true }
}
