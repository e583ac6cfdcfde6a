import { rowsAt } from '../query/rows-at.ts'
import type { Table } from '../table/table.ts'
import type { Lookup } from '../types.ts'
import { isWorthIndexing } from './is-worth-indexing.ts'

/**
 * Rows by the entries of an array in an own field, through an index. A promise while it is being built: then ask again.
 * Undefined if there are too few rows, or the arrays are too long.
 */
export function lookupEntries(
  table: Table,
  field: string,
  slice?: number,
): Lookup | Promise<void> | undefined {
  const index = isWorthIndexing(table) ? table.indexes.keyLists(field, slice) : undefined
  if (!index || index instanceof Promise) return index
  const { order } = table.indexes
  return (text) => rowsAt(order.slots, index.ranksOf(text))
}
