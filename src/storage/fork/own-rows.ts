import type { Work } from '../../work/in-slices.ts'
import { placesOf } from '../table/removed-places.ts'
import type { Table } from '../table/table.ts'
import type { TableDraft } from '../table/table-draft.ts'
import type { Row } from '../types.ts'

/** The rows that a fork replaced or added, as they are now. */
export function ownRowsOf({ replaced, added }: TableDraft): readonly Row[] {
  return [...replaced.values(), ...added]
}

/** Whether a row of the snapshot is not in the fork: it was removed, or is another one now. */
export function isGone({ removed, replaced }: TableDraft, row: Row): boolean {
  return removed.has(row) || replaced.has(row)
}

/** Some rows of a fork by their position, without a list of all. */
export function* rowsBetween(
  table: Table,
  { states, replaced, added }: TableDraft,
  start: number,
  end: number,
): Work<readonly Row[]> {
  const gone = [...(yield* placesOf(table, [...states.removed])).values()].sort((a, b) => a - b)
  const kept = table.length - gone.length
  const rows: Row[] = []
  let position = start
  let passed = 0
  for (; passed < gone.length && (gone[passed] ?? 0) <= position; passed++) position++
  for (let place = start; place < Math.min(end, kept); position++) {
    if (gone[passed] === position) {
      passed++
      continue
    }
    const row = table.rows[position]
    if (row !== undefined) rows.push(replaced.get(row) ?? row)
    place++
  }
  return [...rows, ...added.slice(Math.max(0, start - kept), Math.max(0, end - kept))]
}

/** Merges rows that a fork changed into rows of its snapshot, which are in row order, so that all are. */
export function* inRowOrder(
  table: Table,
  difference: TableDraft,
  kept: readonly Row[],
  own: readonly Row[],
): Work<readonly Row[]> {
  const { states } = difference
  const placed = yield* placesOf(
    table,
    own.map((row) => states.originOf(row)),
  )
  const added = new Map(difference.added.map((row, at) => [row, table.length + at]))
  const positionOf = (row: Row) => placed.get(states.originOf(row)) ?? added.get(row) ?? table.length
  const pending = own.toSorted((a, b) => positionOf(a) - positionOf(b))
  const parts: (readonly Row[])[] = []
  let from = 0
  for (const row of pending) {
    const end = firstBehind(table, kept, positionOf(row), from)
    parts.push(kept.slice(from, end), [row])
    from = end
  }
  return [...parts, kept.slice(from)].flat()
}

/** Binary search: the first of the rows from `start` on that stands behind a position of the table. */
function firstBehind(table: Table, rows: readonly Row[], position: number, start: number): number {
  if (position >= table.length) return rows.length
  let [low, high] = [start, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && table.positionOfRow(row) < position) low = middle + 1
    else high = middle
  }
  return low
}
