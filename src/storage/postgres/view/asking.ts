import type { ListQuery } from '../../types.ts'
import type { ReadSql } from '../link/sql.ts'
import type { Values } from '../query/columns.ts'
import type { Test } from '../query/compile-condition.ts'
import type { FetchedTable } from './fetched-table.ts'

/** What is asked for, of which table. */
export interface Asking {
  readonly sql: ReadSql
  readonly from: string
  readonly table: FetchedTable
  readonly query: ListQuery
  readonly filter: Test
  readonly given: Values
  /** Undefined if only JavaScript can sort the rows. */
  readonly order: string | undefined
  /** How many rows there are, if that is known. */
  readonly total: number | undefined
  /** Whether anybody still waits for the answer. */
  readonly isWanted: (() => boolean) | undefined
}

/** A part of what was found, the end exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Rows that are walked past to a part of them, from the end that is nearer. */
export function skipped({ start, end }: Range, total: number): number {
  return Math.max(0, Math.min(start, total - end))
}
