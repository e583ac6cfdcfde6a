import { deepCopy, isRecord, setField } from '../../json/values.ts'
import type { Row } from '../types.ts'
import { isCopyOf } from './copied-rows.ts'
import type { ChangedRow, Copied, ListChange } from './list-change.ts'
import { idOf, type Placed, Positions, pair, place } from './pair.ts'
import { inOneGo, type Steps } from './steps.ts'

interface Names {
  readonly id: string
  /** Ids of rows that the owner read from the store: they are what the change adds, as it was stored. */
  readonly loaded: ReadonlySet<unknown> | undefined
}

/** A row of the owner that gives way to a new one. */
export interface Replaced extends ChangedRow {
  readonly own: unknown
}

interface MergedList {
  /** What the owner's list gets. */
  readonly rows: readonly unknown[]
  /** The rows among them that have copies, in the order of these. */
  readonly copied: readonly unknown[]
  readonly replaced: readonly Replaced[]
}

/** In place of a row that the owner removed. */
const REMOVED = Symbol('removed')

/**
 * Changes a list whose owner may have added, moved, replaced or removed rows since it was copied. What the owner removed stays
 * away, and a new row that is there already is not added again.
 */
export function mergeList(
  list: readonly unknown[],
  base: Copied,
  { slots, changed, removed }: ListChange,
  { id, loaded }: Names,
): MergedList {
  const isUntouched = list.length === base.list.length && list.every((row, at) => row === base.list[at])
  const positions = isUntouched ? undefined : inOneGo(pair(base.list, list, id, base.table.rows.items()))
  const positionOf = (at: number) => (positions ? positions[at] : at)
  const rows = list.slice()
  const replaced: Replaced[] = []
  for (const [at, change] of changed) {
    const position = positionOf(at)
    if (position === undefined) continue
    replaced.push({ ...change, own: list[position] })
    rows[position] = change.row
  }
  if (!positions) {
    const copied = slots.map((slot) => (typeof slot === 'number' ? rows[slot] : slot.row))
    return { rows: copied, copied, replaced }
  }
  const found = new Set(positions)
  const others = new Positions(list, 0, list.length, (row, at) => (found.has(at) ? undefined : idOf(row, id)))
  const added: Placed<unknown>[] = []
  const copied = slots.map((slot, position) => {
    if (typeof slot === 'number') {
      const at = positionOf(slot)
      return at === undefined ? REMOVED : rows[at]
    }
    const key = idOf(slot.copy, id)
    const there = list[others.take(key) ?? -1]
    if (there !== undefined && (loaded?.has(key) || isCopyOf(there, slot.copy))) return there
    added.push({ position, item: slot.row })
    return slot.row
  })
  const gone = new Set([...removed].map(positionOf))
  return { rows: place(rows, gone, added), copied, replaced }
}

/** What the owner changed in rows before they were replaced goes to the new ones. */
export function* carryOver(replaced: readonly Replaced[]): Steps<void> {
  for (const { own, known, copy, row } of replaced) {
    yield
    if (isCopyOf(own, known) || !isRecord(own) || !isRecord(row)) continue
    const next = merged(row, copy, merged(own, known, copy))
    if (!isRecord(next) || next === row) continue
    for (const name of Object.keys(row)) delete row[name]
    for (const name of Object.keys(next)) setField(row, name, next[name])
  }
}

/** What the owner has, with what was changed beside it since both had the same; where both changed it, that stays. */
export function merged(own: unknown, base: unknown, changed: unknown): unknown {
  if (isCopyOf(changed, base)) return own
  if (isCopyOf(own, base) || !isRecord(own) || !isRecord(base) || !isRecord(changed)) return deepCopy(changed)
  const row: Row = {}
  for (const name of new Set([...Object.keys(changed), ...Object.keys(own)])) {
    const [mine, old, next] = [own, base, changed].map((each) =>
      Object.hasOwn(each, name) ? each[name] : undefined,
    )
    const value = merged(mine, old, next)
    if (value !== undefined) setField(row, name, value)
  }
  return row
}
