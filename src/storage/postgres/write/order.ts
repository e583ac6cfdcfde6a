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

/** Finds a place for each row that a change added: at the end, or between others. */
export function orderOf(table: FetchedTable): Order {
  const { resource, change } = table
  if (!change || change.places.size > 0) return orderPlaced(table)
  const { added, removed } = change
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

/** A row that was added, or the position of one that was there. */
type Standing = { readonly row: Row } | { readonly pos: number }

/** All rows are here: a place among them cannot be found otherwise. */
function orderPlaced(table: FetchedTable): Order {
  const { added = [], removed = new Set<Row>(), places = new Map<Row, number>() } = table.change ?? {}
  const gone = new Set([...removed].map((row) => table.posOf(row)))
  const kept = table.positions.filter((pos) => !gone.has(pos))
  const standing = new Map(added.map((row): [Row, Standing] => [row, { row }]))
  const last = added.filter((row) => !places.has(row)).map((row): Standing => ({ row }))
  const placed = [...places].map(([row, place]) => [standing.get(row) ?? { row }, place] as const)
  const ordered = mergeAtPlaces<Standing>([...kept.map((pos) => ({ pos })), ...last], placed)
  return squeezed(ordered, table.resource.nextPos) ?? renumbered(ordered)
}

/** Puts new rows between the others, which stay; undefined if there is no room. */
function squeezed(ordered: readonly Standing[], end: number): Order | undefined {
  const added = new Map<Row, number>()
  let nextPos = end
  let before: number | undefined
  let run: Row[] = []
  for (const one of ordered) {
    if ('row' in one) {
      run.push(one.row)
      continue
    }
    const start = before ?? one.pos - GAP * (run.length + 1)
    const step = (one.pos - start) / (run.length + 1)
    if (run.length > 0 && step < 1) return undefined
    for (const [at, row] of run.entries()) added.set(row, start + Math.floor(step * (at + 1)))
    before = one.pos
    run = []
  }
  for (const row of run) {
    added.set(row, nextPos)
    nextPos += GAP
  }
  return { added, moved: new Map(), nextPos, isDense: false }
}

/** All rows get positions with room between them. */
function renumbered(ordered: readonly Standing[]): Order {
  const added = new Map<Row, number>()
  const moved = new Map<number, number>()
  for (const [at, one] of ordered.entries()) {
    if ('row' in one) added.set(one.row, at * GAP)
    else if (one.pos !== at * GAP) moved.set(one.pos, at * GAP)
  }
  return { added, moved, nextPos: ordered.length * GAP, isDense: true }
}
