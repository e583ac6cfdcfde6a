import { Table } from '../../core/engine/data/table.ts'
import { diff } from '../../core/engine/data/tree.ts'
import type { Row } from '../../core/engine/types.ts'
import { deepCopy } from '../../core/kernel/json/values.ts'
import { changedRow, isCopyOf, keyOf } from './live-row.ts'

/** The rows of the owner's list, and copies of them, in the same order. */
export interface CopiedList {
  readonly rows: readonly unknown[]
  readonly table: Table
}

const NOTHING: CopiedList = { rows: [], table: Table.EMPTY }

/** The same copies if nothing changed. Rows keep their ranks, unless rows were moved. */
export function copyList(list: readonly unknown[], before = NOTHING): CopiedList {
  if (isUnchanged(list, before)) return before
  const old = before.table.rows.items()
  const isMoved = list.some((row, at) => row !== before.rows[at])
  const copyOf = new Map(isMoved ? before.rows.map((row, at) => [row, old[at]]) : [])
  const copies = Array.from(list, (row, at): unknown => {
    const copy = row === before.rows[at] ? old[at] : copyOf.get(row)
    return isCopyOf(row ?? null, copy) ? copy : deepCopy(row ?? null)
  })
  return { rows: list.slice(), table: withRows(before.table, copies as readonly Row[]) }
}

function isUnchanged(list: readonly unknown[], { rows, table }: CopiedList): boolean {
  if (list.length !== table.size || !rows.every((row, at) => row === list[at])) return false
  let at = 0
  for (const leaf of table.rows.leaves()) {
    for (const copy of leaf.items) if (!isCopyOf(list[at++] ?? null, copy)) return false
  }
  return true
}

function withRows(table: Table, rows: readonly Row[]): Table {
  if (table.size === 0) return Table.of(rows)
  const [old, ranks] = [table.rows.items(), table.rows.ranks()]
  if (rows.length === old.length) {
    return table.edit(rows.flatMap((after, at) => (after === old[at] ? [] : { rank: ranks[at] ?? 0, after })))
  }
  const most = Math.min(rows.length, old.length)
  let [start, end] = [0, 0]
  while (start < most && rows[start] === old[start]) start++
  while (end < most - start && rows[rows.length - 1 - end] === old[old.length - 1 - end]) end++
  const removed = ranks.slice(start, old.length - end).map((rank) => ({ rank }))
  return table.edit(removed).withAt(start, rows.slice(start, rows.length - end))
}

interface ListChange {
  readonly before: Table
  readonly after: Table
  /** Whether the list has exactly the rows of `before`: else they are found by their ids. */
  readonly isUntouched: boolean
  readonly id: string
}

/** The rows of the owner's list after a change. What the change is not about stays as it is. */
export function changedList(list: readonly unknown[], change: ListChange): readonly unknown[] {
  const { before, after, isUntouched, id } = change
  if (before.size === 0 && list.length === 0) return after.rows.items().map(deepCopy)
  const rows = list.slice()
  const positions = isUntouched ? undefined : positionsByKey(list, id)
  const find = (key: unknown, position: number) => (positions ? positions.get(key) : position)
  const removed = new Set<number | undefined>()
  const leaving = new Map<unknown, { readonly old: Row; readonly at: number | undefined }>()
  const coming: Placed<Row>[] = []
  for (const { rank, before: old, after: next } of diff(before.rows, after.rows)) {
    const key = keyOf(old, id)
    const at = old === undefined ? undefined : find(key, before.rows.positionOf(undefined, rank))
    if (old !== undefined && next !== undefined && key === keyOf(next, id)) {
      if (at !== undefined) rows[at] = changedRow(list[at], old, next)
      continue
    }
    if (old !== undefined) leaving.set(key, { old, at })
    if (old !== undefined) removed.add(at)
    if (next !== undefined) coming.push({ position: after.rows.positionOf(undefined, rank), item: next })
  }
  const added = coming.flatMap(({ position, item }): Placed<unknown> | readonly [] => {
    const key = keyOf(item, id)
    const known = leaving.get(key)
    leaving.delete(key)
    // The owner removed it, or has it already.
    if (known)
      return known.at === undefined ? [] : { position, item: changedRow(list[known.at], known.old, item) }
    const at = positions?.get(key)
    return at !== undefined && isCopyOf(list[at], item) ? [] : { position, item: deepCopy(item) }
  })
  return place(rows, removed, added)
}

function positionsByKey(list: readonly unknown[], id: string): ReadonlyMap<unknown, number> {
  const positions = new Map<unknown, number>()
  for (const [at, row] of list.entries()) {
    const key = keyOf(row, id)
    if (!positions.has(key)) positions.set(key, at)
  }
  return positions
}

interface Placed<Item> {
  readonly position: number
  readonly item: Item
}

/** @param added by ascending position, each in what the list becomes */
function place(
  list: readonly unknown[],
  removed: ReadonlySet<number | undefined>,
  added: readonly Placed<unknown>[],
): readonly unknown[] {
  const left = removed.size === 0 ? list : list.filter((_, at) => !removed.has(at))
  const placed: unknown[] = []
  let next = 0
  for (const { position, item } of added) {
    while (placed.length < position && next < left.length) placed.push(left[next++])
    placed.push(item)
  }
  return [...placed, ...left.slice(next)]
}
