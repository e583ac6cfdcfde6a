import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Dependents } from '../change.ts'
import { dependentsOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import type { Draft } from './draft.ts'

/** Removes rows and their dependents, in some collections or in all. */
export function* removeRows(
  draft: Draft,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Work<void> {
  const dependents =
    among.length > 0 ? yield* dependentsOf(draft, collection, rows, among) : new Map<string, Row[]>()
  yield* removeAll(draft, collection, rows)
  for (const [name, others] of dependents) yield* removeAll(draft, name, others)
}

function* removeAll(draft: Draft, collection: string, rows: readonly Row[]): Work<void> {
  for (let start = 0; start < rows.length; start += STRETCH) {
    if (start > 0) yield
    draft.remove(collection, rows.slice(start, start + STRETCH))
  }
}
