import type { Work } from '../../work/in-slices.ts'
import { cut, cutFrom, frame } from '../query/page.ts'
import { rowsAt } from '../query/rows-at.ts'
import { sortRows } from '../query/sort.ts'
import type { Table } from '../table/table.ts'
import type { ListQuery, Row, Selection, Trace } from '../types.ts'
import { type Found, type FoundSome, ranksOf } from './found.ts'
import { findOrder, type SortedOrder, takeMarked, takeSorted } from './take-sorted.ts'

/** Up to this many rows, sorting is faster than using an index. */
const FEW_TO_SORT = 64

/**
 * Sorts and pages the rows that were found, as far as needed. Undefined if it waited for an index, or the
 * table changed before it was done: then the whole query must be run again.
 * @param trace is told of the index that gave the order
 */
export function* arrange(
  table: Table,
  found: Found,
  { sort, window }: Pick<ListQuery, 'sort' | 'window'>,
  trace: Trace,
  slice?: number,
): Work<Selection | undefined> {
  const total = sizeOf(table, found)
  if (sort.length === 0) return arrangeAsTheyStand(table, found, total, window)
  const order = total > FEW_TO_SORT ? findOrder(table.indexes, sort, slice) : undefined
  if (order instanceof Promise) {
    yield order
    return undefined
  }
  if (order === undefined) return cut(yield* sortRows(toRows(table, found), sort), window)

  const { start, end, head } = frame(total, window)
  const items = yield* take(table, found, order, trace, { start, end })
  return items && { items, ...head }
}

function* take(
  table: Table,
  found: Found,
  order: SortedOrder,
  trace: Trace,
  { start, end }: { readonly start: number; readonly end: number },
): Work<readonly Row[] | undefined> {
  const { whole } = order.index
  if (isSameIndex(found, order)) return yield* takeSorted(table, order, found.interval, start, end)
  const use = { kind: 'sorted', path: order.first.path } as const
  if (found.kind === 'all') {
    trace.uses = [...trace.uses, use]
    return yield* takeSorted(table, order, whole, start, end)
  }
  const total = sizeOf(table, found)
  const reading = Math.min(table.rows.length, (end * table.rows.length) / total)
  if (reading > total * Math.log2(total)) {
    const sorted = yield* sortRows(toRows(table, found), [order.first, ...order.ties])
    return sorted.slice(start, end)
  }
  trace.uses = [...trace.uses, use]
  const marks = marksOf(table.indexes.order.slots.length, found)
  return yield* takeMarked(table, order, whole, marks, start, end)
}

function arrangeAsTheyStand(
  table: Table,
  found: Found,
  total: number,
  window: ListQuery['window'],
): Selection {
  const { slots } = table.indexes.order
  if (found.kind === 'all') return cut(table.rows, window)
  // Sorting ranks takes longer than marking them, unless there are few.
  if (found.kind === 'ranks' || total * 32 < slots.length) {
    const ranks = toRanks(found)
    return cutFrom(total, window, (start, end) => rowsAt(slots, ranks.slice(start, end)))
  }
  return cutFrom(total, window, (start, end) => {
    const marks = marksOf(slots.length, found)
    const rows: Row[] = []
    let passed = 0
    for (let rank = 0; passed < end && rank < marks.length; rank++) {
      if (marks[rank] === 0) continue
      const row = passed >= start ? slots[rank] : undefined
      if (row !== undefined) rows.push(row)
      passed++
    }
    return rows
  })
}

/** The ranks in ascending order. */
export function toRanks(found: FoundSome): readonly number[] {
  return found.kind === 'ranks' ? found.ranks : Array.from(found.index.ranksIn(found.interval).sort())
}

function toRows(table: Table, found: Found): readonly Row[] {
  return found.kind === 'all' ? table.rows : rowsAt(table.indexes.order.slots, toRanks(found))
}

function marksOf(size: number, found: FoundSome): Uint8Array {
  const marks = new Uint8Array(size)
  const ranks = ranksOf(found)
  for (let at = 0; at < ranks.length; at++) marks[ranks[at] ?? 0] = 1
  return marks
}

function sizeOf(table: Table, found: Found): number {
  if (found.kind === 'all') return table.rows.length
  return found.kind === 'ranks' ? found.ranks.length : found.interval.end - found.interval.start
}

function isSameIndex(found: Found, { index }: SortedOrder): found is Found & { kind: 'interval' } {
  return found.kind === 'interval' && found.index === index
}
