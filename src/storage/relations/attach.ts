import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Relations, Row } from '../types.ts'
import { attachFound } from './attach-found.ts'
import { findRelated } from './find-related.ts'
import type { Source } from './moment.ts'

/** The rows with their relations put in: new objects, or the rows themselves where there is nothing to put in. */
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
