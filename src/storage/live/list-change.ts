import { isObject } from '../../json/values.ts'
import type { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import { isCopyOf } from './copied-rows.ts'
import { type Placed, pair, place } from './pair.ts'
import type { Steps } from './steps.ts'

/** Copies of rows, as stored, and the rows of the owner's list that they were made of, in the same order. */
export interface Copied {
  readonly table: Table
  readonly list: readonly unknown[]
}

interface NewRow {
  readonly row: unknown
  readonly copy: Row
}

/** Copies of a row, or an object, before and after a change. */
export interface Changed {
  readonly known: unknown
  readonly copy: unknown
  /** Those that differ. */
  readonly fields: readonly string[]
  /** Whether the fields get into the order of the copy if new ones are added at the end. */
  readonly isInOrder: boolean
}

/** What a change does to a list, whatever its owner does. */
export interface ListChange {
  /** What each row is after the change: the one at a position before, or a new one. */
  readonly slots: readonly (number | NewRow)[]
  /** By position before the change. */
  readonly changed: ReadonlyMap<number, Changed>
  readonly removed: ReadonlySet<number>
  /** The copies after the change, with its ranks. */
  readonly table: Table
}

interface Edit {
  readonly rank: number
  readonly known: Row | undefined
  readonly position: number
  after: Row | undefined
}

/** Rows that only move, or that differ in hidden and computed fields alone, stay as they are. */
export function* listChange(
  { table, list }: Copied,
  before: Table,
  after: Table,
  { id, make }: { readonly id: string; readonly make: (copy: Row) => unknown },
): Steps<ListChange> {
  const edits: Edit[] = []
  for (const { rank, before: old, after: next } of diff(before.rows, after.rows)) {
    const known = old === undefined ? undefined : table.row(rank)
    const copy = next && asStored(next)
    const position = table.rows.positionOf(undefined, rank)
    if (known === undefined || !isCopyOf(copy, known)) edits.push({ rank, known, position, after: copy })
    yield
  }
  const olds = edits.filter(({ known }) => known !== undefined)
  const nexts = edits.filter((edit) => edit.after !== undefined)
  const known = olds.map((edit) => edit.known)
  const next = nexts.map((edit) => edit.after)
  const origins = yield* pair(next, known, id)
  const gone = new Set(olds.map(({ position }) => position))
  const removed = new Set(gone)
  const changed = new Map<number, Changed>()
  const added: Placed<number | NewRow>[] = []
  for (const [at, edit] of nexts.entries()) {
    const origin = olds[origins[at] ?? -1]
    const copy = edit.after as Row
    if (origin && isCopyOf(copy, origin.known)) edit.after = origin.known
    else if (origin) changed.set(origin.position, changeOf(origin.known, copy))
    if (origin) removed.delete(origin.position)
    const position = after.rows.positionOf(undefined, edit.rank)
    added.push({ position, item: origin?.position ?? { row: make(copy), copy } })
    yield
  }
  const slots = place<number | NewRow>([...list.keys()], gone, added)
  yield
  const edited = table.edit(edits)
  yield
  return { slots, changed, removed, table: edited }
}

export function changeOf(known: unknown, copy: unknown): Changed {
  if (!isObject(known) || !isObject(copy)) return { known, copy, fields: [], isInOrder: true }
  const [olds, nexts] = [Object.keys(known), Object.keys(copy)]
  const gone = olds.filter((name) => !Object.hasOwn(copy, name))
  const changed = nexts.filter((name) => known[name] !== copy[name] || !Object.hasOwn(known, name))
  const left = gone.length === 0 ? olds : olds.filter((name) => Object.hasOwn(copy, name))
  const isInOrder = left.every((name, at) => name === nexts[at])
  return { known, copy, fields: [...gone, ...changed], isInOrder }
}
