import type { Table } from '../table/table.ts'

/** Below this many rows an index costs more than it saves. */
const FEWEST_ROWS = 64

export function isWorthIndexing({ rows }: Table): boolean {
  return rows.length >= FEWEST_ROWS
}
