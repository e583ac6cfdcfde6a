import { STRETCH, type Work } from '../../work/in-slices.ts'
import { MOST_COLUMNS } from '../index/columns.ts'
import type { Interval, SortedIndex } from '../index/sorted-index.ts'
import type { TableIndexes } from '../index/table-indexes.ts'
import { rowsAt } from '../query/rows-at.ts'
import { sortRows } from '../query/sort.ts'
import type { Table } from '../table/table.ts'
import type { Row, SortKey } from '../types.ts'

/** An order in which rows can be read: by the index, and ties by further keys. */
export interface SortedOrder {
  readonly index: SortedIndex
  readonly first: SortKey
  readonly ties: readonly SortKey[]
}

/**
 * Undefined if any of the columns has no index: then all rows have to be sorted. A promise if one
 * is still being built.
 */
export function findOrder(
  indexes: TableIndexes,
  [first, ...ties]: readonly SortKey[],
  slice?: number,
): SortedOrder | Promise<void> | undefined {
  if (!first || ties.length >= MOST_COLUMNS) return undefined
  const index = indexes.sorted(first.path, slice)
  if (!index || index instanceof Promise) return index
  for (const { path } of ties) {
    const tie = indexes.sorted(path, slice)
    if (!tie || tie instanceof Promise) return tie
  }
  return { index, first, ties }
}

/**
 * The rows from `start` to `end` (exclusive) of those in the interval, in order. Undefined if the table changed
 * before it was done.
 */
export function* takeSorted(
  table: Table,
  order: SortedOrder,
  within: Interval,
  start: number,
  end: number,
): Work<readonly Row[] | undefined> {
  const { index } = order
  if (order.ties.length > 0) return yield* takeMarked(table, order, within, undefined, start, end)
  const { version, indexes } = table
  const { slots } = indexes.order
  if (order.first.order === 'asc') {
    return rowsAt(slots, index.ranksIn({ start: within.start + start, end: within.start + end }))
  }
  const rows: Row[] = []
  for (let groups = 1; rows.length < end - start; groups++) {
    // Counted from the end, but equal rows stay in row order.
    const at = start + rows.length
    const group = index.groupAt(within.end - 1 - at, within)
    const first = group.start + at - (within.end - group.end)
    const last = Math.min(group.end, first + end - at)
    for (const row of rowsAt(slots, index.ranksIn({ start: first, end: last }))) rows.push(row)
    if (groups % STRETCH > 0) continue
    yield
    if (table.version !== version) return undefined
  }
  return rows
}

/** The same, only for rows marked by rank. Reads no further than it must. */
export function* takeMarked(
  table: Table,
  { index, first: { order }, ties }: SortedOrder,
  within: Interval,
  marks: Uint8Array | undefined,
  start: number,
  end: number,
): Work<readonly Row[] | undefined> {
  const { version, indexes } = table
  const { slots } = indexes.order
  const rows: Row[] = []
  const groups = order === 'asc' && ties.length === 0 ? stretches(within) : index.groups(within, order)
  let [passed, read] = [0, 0]
  for (const group of groups) {
    if (passed >= end) break
    const ranks = keepMarked(index.ranksIn(group), marks)
    if (passed + ranks.length > start) {
      const sorted = yield* sortRows(rowsAt(slots, ranks), ties)
      for (const row of sorted.slice(Math.max(0, start - passed), end - passed)) rows.push(row)
      if (table.version !== version) return undefined
    }
    passed += ranks.length
    if (++read % STRETCH > 0) continue
    yield
    if (table.version !== version) return undefined
  }
  return rows
}

function keepMarked(ranks: ArrayLike<number>, marks: Uint8Array | undefined): ArrayLike<number> {
  if (!marks) return ranks
  const kept: number[] = []
  for (let at = 0; at < ranks.length; at++) {
    const rank = ranks[at] ?? 0
    if (marks[rank] === 1) kept.push(rank)
  }
  return kept
}

/** In ascending order, runs of equal rows need no special treatment. */
function* stretches({ start, end }: Interval): Generator<Interval> {
  for (let at = start; at < end; at += PART) yield { start: at, end: Math.min(at + PART, end) }
}

const PART = 128
