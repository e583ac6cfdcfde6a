import type { Work } from '../../work/in-slices.ts'
import type { Relations, Row } from '../types.ts'
import { findRelated } from './find-related.ts'
import { JoinedRows } from './joined-rows.ts'
import type { Source } from './moment.ts'
import { Shape } from './shape.ts'

/** The rows as an answer shows them. */
export function* joinRows(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Work<JoinedRows> {
  const fields = yield* unlessField(source, collection, '_fields', wanted.fields)
  const omit = yield* unlessField(source, collection, '_omit', wanted.omit)
  const columns = yield* findRelated(source, collection, rows, wanted)
  if (fields.length + omit.length === 0) return new JoinedRows(rows, columns)
  const relations = columns.map(({ relation }) => relation)
  const joined = new JoinedRows(rows, columns, new Shape(fields, omit, relations))
  yield* joined.shapeLongRows()
  return joined
}

/** A new word gives way to data: where any row has a field of that name, it is a filter on that field. */
function* unlessField(
  source: Source,
  collection: string,
  name: string,
  paths: readonly string[] = [],
): Work<readonly string[]> {
  return paths.length > 0 && (yield* source.hasField(collection, name)) ? [] : paths
}

/** Whether rows are to be shown otherwise than they are. */
export function isShaped(wanted: Relations): boolean {
  return hasRelations(wanted) || wanted.fields !== undefined || wanted.omit !== undefined
}

/** Whether other rows are to be put into them. */
export function hasRelations({ embed, expand }: Relations): boolean {
  return embed.length + expand.length > 0
}
