import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Row } from '../types.ts'
import { isCopyOf } from './copied-rows.ts'
import type { Steps } from './steps.ts'

export type Written = Pick<Next, 'before' | 'after'>

/** Copies of rows, and the rows of the owner's list that they were made of, in the same order. */
export interface Copied {
  readonly table: Table
  readonly list: readonly unknown[]
}

/** A row is added, replaced or removed. */
export interface RowEdit {
  readonly rank: number
  /** The copy that the owner's row has, and the one that it gets. */
  readonly known: Row | undefined
  readonly after: Row | undefined
}

export interface Edited {
  readonly table: Table
  /** By ascending rank. */
  readonly edits: readonly RowEdit[]
}

/** Rows of a change that is written in one go: its owner cannot change one of them in between. */
const FEW_ROWS = 1000

export function isSmall({ before, after }: Written): boolean {
  let count = 0
  for (const [name, part] of after.parts) {
    if (!(part instanceof Table)) continue
    for (const _ of diff((before.table(name) ?? NONE.table).rows, part.rows))
      if (++count > FEW_ROWS) return false
  }
  return true
}

export const NONE: Copied = { table: Table.of([]), list: [] }

/** What a change does to copies of rows: they have the ranks of the engine's rows, and are as stored. */
export function* editsOf(copies: Table, before: Table = NONE.table, table: Table): Steps<Edited> {
  const edits: RowEdit[] = []
  for (const { rank, before: old, after: next } of diff(before.rows, table.rows)) {
    const known = old === undefined ? undefined : copies.row(rank)
    const after = next && asStored(next)
    // Nothing but hidden and computed fields may differ.
    if (known === undefined || !isCopyOf(after, known)) edits.push({ rank, known, after })
    yield
  }
  return { table, edits }
}

/** Whether a list has the rows that were copied, and those to be edited are as they were. */
export function* isAsCopied(
  list: readonly unknown[],
  base: Copied,
  edits: readonly RowEdit[],
): Steps<boolean> {
  if (list.length !== base.list.length || list.some((row, at) => row !== base.list[at])) return false
  for (const { rank, known } of edits) {
    const row = list[base.table.rows.positionOf(undefined, rank)]
    if (known !== undefined && !isCopyOf(row ?? null, known)) return false
    yield
  }
  return true
}
