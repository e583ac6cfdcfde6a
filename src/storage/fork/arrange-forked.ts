import type { Work } from '../../work/in-slices.ts'
import { SortedIndex } from '../index/sorted-index.ts'
import { findOrder, takeSorted } from '../plan/take-sorted.ts'
import { frame } from '../query/page.ts'
import { compilePath, readPath } from '../query/path.ts'
import { arrangeRows } from '../query/query.ts'
import { sortRows } from '../query/sort.ts'
import type { Table } from '../table/table.ts'
import type { TableDraft } from '../table/table-draft.ts'
import type { ListQuery, Row, Selection, SortKey, Trace } from '../types.ts'
import type { ForkedTable } from './forked-table.ts'
import { inRowOrder, isGone, ownRowsOf, rowsBetween } from './own-rows.ts'

/** Above this share of all rows, sorting them is as fast as an index. */
const LARGEST_SHARE = 1 / 4

/** Sorts and pages all rows of a fork, as far as needed. Undefined if it waited for an index: then ask again. */
export function* arrangeForked(
  fork: ForkedTable,
  difference: TableDraft,
  query: ListQuery,
  trace: Trace,
): Work<Selection | undefined> {
  const { sort, window } = query
  if (window.kind === 'all') return yield* arrangeRows(fork.rows.slice(), query)
  const { start, end, head } = frame(fork.length, window)
  if (sort.length === 0) return { items: yield* rowsBetween(fork.table, difference, start, end), ...head }
  const { table } = fork
  // The first rows of the fork are among as many of the snapshot, and as many more as are gone, and its own.
  const count = end + difference.removed.size + difference.replaced.size
  const own = ownRowsOf(difference)
  if (count + own.length > fork.length * LARGEST_SHARE) return yield* arrangeRows(fork.rows.slice(), query)
  const order = findOrder(table.indexes, sort)
  if (order instanceof Promise) {
    yield order
    return undefined
  }
  if (!order || !sort.every((key) => fits(table, key, own))) {
    return yield* arrangeRows(fork.rows.slice(), query)
  }
  const first = yield* takeSorted(table, order, order.index.whole, 0, Math.min(count, table.length))
  if (!first || fork.table !== table) return undefined
  trace.uses = [{ kind: 'sorted', path: order.first.path }]
  const kept = first
    .filter((row) => !isGone(difference, row))
    .map((row) => ({ row, position: table.positionOfRow(row) }))
    .sort((a, b) => a.position - b.position)
    .map(({ row }) => row)
  const candidates = yield* inRowOrder(table, difference, kept, own)
  return { items: (yield* sortRows(candidates, sort)).slice(start, end), ...head }
}

/** Whether rows compare with the rows of a table in this column: mixed types do not compare transitively. */
function fits({ indexes }: Table, { path: text }: SortKey, rows: readonly Row[]): boolean {
  const index = indexes.sorted(text)
  const path = compilePath(text)
  return rows.every((row) => {
    const value = readPath(row, path)
    if (value === null || value === undefined) return true
    return index instanceof SortedIndex && typeof value === index.kind && !Number.isNaN(value)
  })
}
