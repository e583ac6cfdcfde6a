import { rowsAt } from '../query/rows-at.ts'
import type { Table } from '../table/table.ts'
import type { Lookup } from '../types.ts'

/** Below this many rows an index costs more than it saves. */
const FEWEST_ROWS = 64

/**
 * The rows by the entries of a list that they have in a field of their own, through an index. A promise while that is
 * being made: then it is to be asked for again. Undefined where there are too few rows for one, or lists too long.
 */
export function lookupEntries(
  table: Table,
  field: string,
  slice?: number,
): Lookup | Promise<void> | undefined {
  const index = table.rows.length >= FEWEST_ROWS ? table.indexes.keyLists(field, slice) : undefined
  if (!index || index instanceof Promise) return index
  const { order } = table.indexes
  return (text) => rowsAt(order.slots, index.ranksOf(text))
}
