import { deepCopy, isRecord, setField } from '../../json/values.ts'
import type { Row } from '../types.ts'
import { isCopyOf } from './copied-rows.ts'
import type { Copied, Edited, RowEdit } from './row-edits.ts'
import type { Steps } from './steps.ts'

/** The rows that the owner's list has after a change, and those among them that were made by its edits. */
interface MergedList {
  readonly rows: readonly unknown[]
  readonly made: ReadonlyMap<RowEdit, unknown>
}

/**
 * Edits a list whose owner may have added, moved, replaced, changed or removed rows since it was copied. Rows are found
 * by identity, or else by id. What the owner removed stays away, and an added row that is there already is not repeated.
 */
export function* mergeList(
  list: readonly unknown[],
  base: Copied,
  { table, edits }: Edited,
  { id, isLoaded }: { readonly id: string; readonly isLoaded: (row: unknown) => boolean },
): Steps<MergedList> {
  const places = yield* pair(base.list, base.table.rows.items(), list, id)
  const olds = edits.filter(({ known }) => known !== undefined)
  const nexts = edits.filter(({ after }) => after !== undefined)
  const known = olds.map((old) => old.known)
  const next = nexts.map(({ after }) => after)
  const replacements = yield* pair(known, known, next, id)
  const rows = list.slice()
  const removed = new Set<number>()
  const made = new Map<RowEdit, unknown>()
  for (const [at, old] of olds.entries()) {
    const place = places[base.table.rows.positionOf(undefined, old.rank)]
    const edit = nexts[replacements[at] ?? -1]
    if (edit && place !== undefined) rows[place] = merged(list[place], old.known, edit.after)
    else if (place !== undefined) removed.add(place)
    // The copy is nowhere in the list, as the row that the owner removed.
    if (edit) made.set(edit, place === undefined ? edit.after : rows[place])
    yield
  }
  const added: Placed[] = []
  const others = yield* othersIn(list, places, id)
  for (const edit of nexts) {
    yield
    if (made.has(edit)) continue
    const other = list[others.get(idOf(edit.after, id))?.pop() ?? -1]
    const isThere = other !== undefined && (isLoaded(other) || isCopyOf(other, edit.after))
    const row = isThere ? other : deepCopy(edit.after)
    made.set(edit, row)
    if (!isThere) added.push({ position: table.rows.positionOf(undefined, edit.rank), row })
  }
  return { rows: place(rows, removed, added), made }
}

/** Where each row is in a list: the row itself, or else one with the id of its copy. */
function* pair(
  rows: readonly unknown[],
  copies: readonly unknown[],
  list: readonly unknown[],
  id: string,
): Steps<readonly (number | undefined)[]> {
  const places = yield* placesBy((row) => row ?? null, list)
  const found: (number | undefined)[] = []
  for (const row of rows) yield void found.push(places.get(row ?? null)?.pop())
  const others = yield* othersIn(list, found, id)
  for (const [at, copy] of copies.entries()) {
    found[at] ??= others.get(idOf(copy, id))?.pop()
    yield
  }
  return found
}

/** Places of the rows of a list that were not found, by id. */
function* othersIn(
  list: readonly unknown[],
  found: readonly (number | undefined)[],
  id: string,
): Steps<Map<unknown, number[]>> {
  const isFound = new Set(found)
  return yield* placesBy((row, at) => (isFound.has(at) ? undefined : idOf(row, id)), list)
}

/** The last one first. */
function* placesBy(
  key: (row: unknown, at: number) => unknown,
  list: readonly unknown[],
): Steps<Map<unknown, number[]>> {
  const places = new Map<unknown, number[]>()
  for (let at = list.length - 1; at >= 0; at--) {
    yield
    const value = key(list[at], at)
    const same = places.get(value)
    if (same) same.push(at)
    else if (value !== undefined) places.set(value, [at])
  }
  return places
}

function idOf(row: unknown, id: string): unknown {
  return isRecord(row) ? row[id] : undefined
}

/** What the owner has, with what was changed beside it since both had the same; that is kept where both changed it. */
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

export interface Placed {
  readonly position: number
  readonly row: unknown
}

/** @param added by ascending position */
export function place(
  list: readonly unknown[],
  removed: ReadonlySet<number>,
  added: readonly Placed[],
): readonly unknown[] {
  const left = removed.size === 0 ? list : list.filter((_, at) => !removed.has(at))
  const placed: unknown[] = []
  let next = 0
  for (const { position, row } of added) {
    while (placed.length < position && next < left.length) placed.push(left[next++])
    placed.push(row)
  }
  while (next < left.length) placed.push(left[next++])
  return placed
}
