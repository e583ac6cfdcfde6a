import { asSent, isObject } from '../../json/values.ts'
import { Table } from '../data/table.ts'
import type { Row } from '../types.ts'
import type { Steps } from './steps.ts'

/** Runs before each read, so it must be fast. */
export function* isUnchanged(
  list: readonly unknown[],
  previous: readonly unknown[] | undefined,
  copies: Table,
): Steps<boolean> {
  if (list.length !== previous?.length || list.length !== copies.size) return false
  let at = 0
  for (const leaf of copies.rows.leaves()) {
    for (const copy of leaf.items) {
      const row = list[at]
      if (row !== previous[at++] || !isCopyOf(row ?? null, copy)) return false
    }
    yield
  }
  return true
}

export function moved(previous: Table, rows: readonly Row[]): Table {
  const [old, ranks] = [previous.rows.items(), previous.rows.ranks()]
  if (rows.length === old.length) {
    return previous.edit(
      rows.flatMap((after, at) => (after === old[at] ? [] : { rank: ranks[at] ?? 0, after })),
    )
  }
  const rankOf = new Map(old.map((row, at) => [row, ranks[at] ?? 0]))
  const stayed = rows.flatMap((row) => rankOf.get(row) ?? [])
  const isInOrder = stayed.every((rank, at) => at === 0 || rank > (stayed[at - 1] ?? 0))
  // New rows are usually at the end.
  const isAppended = rows.slice(0, stayed.length).every((row) => rankOf.has(row))
  if (!isInOrder || !isAppended) return Table.of(rows)
  const left = new Set(stayed)
  const rest = previous.edit(ranks.flatMap((rank) => (left.has(rank) ? [] : { rank })))
  return rest.withAt(rest.size, rows.slice(stayed.length))
}

/** Whether a copy is still equal. */
export function isCopyOf(value: unknown, copy: unknown): boolean {
  if (value === copy) return true
  if (typeof value !== 'object') return Object.is(value, copy)
  if (Array.isArray(value)) return Array.isArray(copy) && isCopyOfList(value, copy)
  if (!isObject(value)) return false
  if (value instanceof Date) return copy instanceof Date && Object.is(value.getTime(), copy.getTime())
  const sent = asSent(value)
  if (sent !== value) return isCopyOf(sent, copy)
  if (!isObject(copy)) return false
  const [keys, others] = [Object.keys(value), Object.keys(copy)]
  if (keys.length !== others.length) return false
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    if (key !== others[at] || !isCopyOf(value[key], copy[key])) return false
  }
  return true
}

/** Extra properties of an array are ignored. */
function isCopyOfList(value: readonly unknown[], copy: readonly unknown[]): boolean {
  if (value.length !== copy.length) return false
  for (let at = 0; at < value.length; at++) if (!isCopyOf(value[at], copy[at])) return false
  return true
}
