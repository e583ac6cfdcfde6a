import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Dependents } from '../change.ts'
import { type Dependent, dependentsOf } from '../relations/relations.ts'
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
  const { rows: dependents, ruled } = ruling
    ? yield* ruledDependents(draft, ruling.rules, collection, rows, among)
    : among.length > 0
      ? yield* dependentsOf(draft, collection, rows, among)
      : NONE
  // Rows may depend on others of their own collection.
  const own = [...rows, ...(dependents.get(collection) ?? [])]
  const removed = new Map([[collection, own], ...dependents, [collection, own]])
  // Before any of them goes: what restricts a deletion must not tell of rows that the client may not delete.
  if (guard) {
    for (const [name, gone] of dependents) {
      const asked = gone.filter((row) => !ruled.has(row))
      yield* guard.checkAll(name, 'delete', asked, goesAlong(name, among))
    }
  }
  for (const [name, gone] of removed) {
    yield* removeAll(draft, name, gone)
    ruling?.journal.noteRemovals(name, gone)
  }
  if (ruling) yield* release(draft, ruling, removed)
}

const NONE: Dependent = { rows: new Map(), ruled: new Set() }

/** Why it matters who may delete the rows of another collection. */
function goesAlong(name: string, among: Dependents): string {
  const by = among === 'all' ? '--cascade' : '_dependent'
  return `A row of ${name} depends on what you delete, and would go with it (${by}). Nothing was changed.`
}

function* removeAll(draft: Draft, collection: string, rows: readonly Row[]): Work<void> {
  for (let start = 0; start < rows.length; start += STRETCH) {
    if (start > 0) yield
    draft.remove(collection, rows.slice(start, start + STRETCH))
  }
}
