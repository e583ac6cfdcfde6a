import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Relations, Row } from '../types.ts'
import { joinRows } from './join-rows.ts'
import type { Source } from './moment.ts'

/** The rows as an answer shows them: new objects, or the rows themselves where there is nothing to change. */
export function* attachRelations(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Work<readonly Row[]> {
  const joined = yield* joinRows(source, collection, rows, wanted)
  const attached: Row[] = []
  for (const [at, row] of rows.entries()) {
    if (at % STRETCH === STRETCH - 1) yield
    attached.push(joined.at(at) ?? row)
  }
  return attached
}
