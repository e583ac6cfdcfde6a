import { MOST_COLUMNS } from './columns.ts'
import { sortRows } from './sort.ts'
import type { Interval, SortedIndex } from './sorted-index.ts'
import type { TableIndexes } from './table-indexes.ts'
import type { Row, SortKey } from './types.ts'

/** An order that rows can be read off in: by the index, and equal ones by further keys. */
export interface SortedOrder {
  readonly index: SortedIndex
  readonly order: SortKey['order']
  readonly ties: readonly SortKey[]
}

/**
 * Undefined where any of the columns has no index: then only a sort of all rows tells their order. A promise where one
 * is still being made.
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
  return { index, order: first.order, ties }
}

/** The rows from `start` to `end` (exclusive) of those in the interval, in order. */
export function takeSorted(
  slots: readonly Row[],
  { index, order, ties }: SortedOrder,
  within: Interval,
  start: number,
  end: number,
): readonly Row[] {
  if (ties.length > 0) return takeMarked(slots, { index, order, ties }, within, undefined, start, end)
  if (order === 'asc') {
    return rowsAt(slots, index.ranksIn({ start: within.start + start, end: within.start + end }))
  }
  const rows: Row[] = []
  while (rows.length < end - start) {
    // Counted from the end, but equal rows keep the order they have from the start.
    const at = start + rows.length
    const group = index.groupAt(within.end - 1 - at, within)
    const first = group.start + at - (within.end - group.end)
    const last = Math.min(group.end, first + end - at)
    for (const row of rowsAt(slots, index.ranksIn({ start: first, end: last }))) rows.push(row)
  }
  return rows
}

/** The same of those only that are marked, by rank. Reads no further than it must. */
export function takeMarked(
  slots: readonly Row[],
  { index, order, ties }: SortedOrder,
  within: Interval,
  marks: Uint8Array | undefined,
  start: number,
  end: number,
): readonly Row[] {
  const rows: Row[] = []
  const groups = order === 'asc' && ties.length === 0 ? stretches(within) : index.groups(within, order)
  let passed = 0
  for (const group of groups) {
    if (passed >= end) break
    const ranks = keepMarked(index.ranksIn(group), marks)
    if (passed + ranks.length > start) {
      const sorted = sortRows(rowsAt(slots, ranks), ties)
      for (const row of sorted.slice(Math.max(0, start - passed), end - passed)) rows.push(row)
    }
    passed += ranks.length
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

export function rowsAt(slots: readonly Row[], ranks: ArrayLike<number>): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < ranks.length; at++) {
    const row = slots[ranks[at] ?? 0]
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** Ascending, equal rows need not be told from others. */
function* stretches({ start, end }: Interval): Generator<Interval> {
  for (let at = start; at < end; at += STRETCH) yield { start: at, end: Math.min(at + STRETCH, end) }
}

const STRETCH = 128
