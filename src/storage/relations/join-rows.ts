import { hasFieldIn, type Source } from '../data/source.ts'
import type { Relations, Row } from '../types.ts'
import { findColumns } from './find-columns.ts'
import { JoinedRows } from './joined-rows.ts'
import { resolveRelations } from './resolve-relations.ts'
import { Shape } from './shape.ts'

/** The rows as a response shows them. */
export async function joinRows(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
): Promise<JoinedRows> {
  const fields = await unlessField(source, collection, '_fields', wanted.fields)
  const omit = await unlessField(source, collection, '_omit', wanted.omit)
  const relations = hasRelations(wanted) ? await resolveRelations(source, collection, wanted) : []
  const columns = await findColumns(source, rows, relations)
  const isWhole = fields.length + omit.length === 0
  return new JoinedRows(rows, columns, isWhole ? undefined : new Shape(fields, omit, relations))
}

/** A new word gives way to data: where any row has a field of that name, it is a filter on that field. */
async function unlessField(
  source: Source,
  collection: string,
  name: string,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  return paths.length > 0 && (await hasFieldIn(source, collection, name)) ? [] : paths
}

/** Whether rows are to be shown otherwise than they are. */
export function isShaped(wanted: Relations): boolean {
  return hasRelations(wanted) || wanted.fields !== undefined || wanted.omit !== undefined
}

/** Whether other rows are to be put into them. */
export function hasRelations({ embed, expand }: Relations): boolean {
  return embed.length + expand.length > 0
}
