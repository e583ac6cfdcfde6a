import { STRETCH, type Work } from '../../work/in-slices.ts'
import { isRow } from '../is-row.ts'
import type { Relations, Row } from '../types.ts'
import { type Column, findRelated, type Source } from './find-related.ts'

/** The rows with their relations added: new objects, or the rows themselves if there is nothing to add. */
export function* attachRelations(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Work<readonly Row[]> {
  const columns = yield* findRelated(source, collection, rows, wanted)
  if (columns.length === 0) return rows
  const attached: Row[] = []
  for (const [at, row] of rows.entries()) {
    if (at % STRETCH === STRETCH - 1) yield
    attached.push(attachFound(row, columns, at))
  }
  return attached
}

/** The row with its relations added. */
export function attachFound(row: Row, columns: readonly Column[], at: number): Row {
  if (!isRow(row)) return row
  let attached = row
  for (const { name, found } of columns) {
    const value = found[at]
    if (value !== undefined) attached = { ...attached, [name]: value }
  }
  return attached
}
