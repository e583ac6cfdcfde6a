import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Dependents } from '../change.ts'
import { dependentsOf } from '../relations/relations.ts'
import { release, ruledDependents } from '../rules/reach.ts'
import type { Row } from '../types.ts'
import type { Draft } from './draft.ts'
import type { Writing } from './write-rows.ts'

/** Removes rows and their dependents: what rules say, and what is asked for, in some collections or in all. */
export function* removeRows(
  { draft, ruling, guard }: Writing,
  collection: string,
  rows: readonly Row[],
  among: Dependents,
): Work<void> {
  const dependents = ruling
    ? yield* ruledDependents(draft, ruling.rules, collection, rows, among)
    : among.length > 0
      ? yield* dependentsOf(draft, collection, rows, among)
      : new Map<string, Row[]>()
  // Rows may depend on others of their own collection.
  const own = [...rows, ...(dependents.get(collection) ?? [])]
  const removed = new Map([[collection, own], ...dependents, [collection, own]])
  // Before any of them goes: what restricts a deletion must not tell of rows that the client may not delete.
  if (guard) for (const [name, gone] of dependents) yield* guard.checkAll(name, 'delete', gone)
  for (const [name, gone] of removed) {
    yield* removeAll(draft, name, gone)
    ruling?.journal.noteRemovals(name, gone)
  }
  if (ruling) yield* release(draft, ruling, removed)
}

function* removeAll(draft: Draft, collection: string, rows: readonly Row[]): Work<void> {
  for (let start = 0; start < rows.length; start += STRETCH) {
    if (start > 0) yield
    draft.remove(collection, rows.slice(start, start + STRETCH))
  }
}
