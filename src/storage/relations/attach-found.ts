import { isRow } from '../is-row.ts'
import type { Row } from '../types.ts'
import type { Column } from './relation.ts'

/** The row with what was found put in. */
export function attachFound(row: Row, columns: readonly Column[], at: number): Row {
  if (!isRow(row)) return row
  let attached = row
  for (const { relation, found } of columns) {
    const value = found[at]
    if (value !== undefined) attached = { ...attached, [relation.name]: value }
  }
  return attached
}
