import { hideFields } from '../../hidden/hidden-fields.ts'
import { isRow } from '../../is-row.ts'
import type { Row } from '../../types.ts'

/** A row as questions find it. */
export function parseRow(body: string, hidden: readonly string[]): Row {
  const row: Row = JSON.parse(body)
  return hidden.length > 0 && isRow(row) ? hideFields(row, hidden) : row
}
