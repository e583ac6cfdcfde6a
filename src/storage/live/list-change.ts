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

export interface ChangedRow extends NewRow {
  /** What it was a copy of before. */
  readonly known: Row
}

/** What a change does to a list, whatever its owner does. */
export interface ListChange {
  /** What each row is after the change: the one at a position before, or a new one. */
  readonly slots: readonly (number | NewRow)[]
  /** By position before the change. */
  readonly changed: ReadonlyMap<number, ChangedRow>
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
  const changed = new Map<number, ChangedRow>()
  const added: Placed<number | NewRow>[] = []
  for (const [at, edit] of nexts.entries()) {
    const origin = olds[origins[at] ?? -1]
    const copy = edit.after as Row
    const isMoved = origin !== undefined && isCopyOf(copy, origin.known)
    const made = isMoved ? undefined : { row: make(copy), copy }
    if (isMoved) edit.after = origin.known
    else if (origin && made) changed.set(origin.position, { ...made, known: origin.known as Row })
    if (origin) removed.delete(origin.position)
    const position = after.rows.positionOf(undefined, edit.rank)
    added.push({ position, item: origin?.position ?? (made as NewRow) })
    yield
  }
  const slots = place<number | NewRow>([...list.keys()], gone, added)
  yield
  const edited = table.edit(edits)
  yield
  return { slots, changed, removed, table: edited }
}
