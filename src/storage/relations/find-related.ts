import type { Work } from '../../work/in-slices.ts'
import type { Relations, Row } from '../types.ts'
import { Moment, type Source } from './moment.ts'
import { needsOf, RelatedSearch } from './related-search.ts'
import type { Column, Relation } from './relation.ts'
import { resolveRelations } from './resolve-relations.ts'

/** Milliseconds to work before taking a copy of what is needed, so that others can write meanwhile. */
const BRIEFLY = 4

/** Looks up what belongs to each of the rows: a consistent snapshot, whatever others write meanwhile. */
export function* findRelated(
  source: Source,
  collection: string,
  rows: readonly Row[],
  wanted: Relations,
  briefly = BRIEFLY,
): Work<readonly Column[]> {
  return yield* findColumns(source, rows, yield* resolveRelations(source, collection, wanted), briefly)
}

/** The same for relations whose meaning is known. */
export function* findColumns(
  source: Source,
  rows: readonly Row[],
  relations: readonly Relation[],
  briefly = BRIEFLY,
): Work<readonly Column[]> {
  if (relations.length === 0) return []
  const { id } = source.naming
  const isDeep = relations.some(({ deeper }) => deeper.length > 0)
  const count = isDeep ? Number.POSITIVE_INFINITY : rows.length
  const moment = yield* Moment.of(source, needsOf(relations, id), count, briefly)
  return yield* new RelatedSearch(moment, id).columnsOf(rows, relations)
}
