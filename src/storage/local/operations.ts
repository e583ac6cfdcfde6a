import { STRETCH, type Work } from '../../work/in-slices.ts'
import { dependentsOf } from '../relations/relations.ts'
import type { Row } from '../types.ts'
import type { Draft } from './draft.ts'

/** The new row, or undefined when there is none with this id to replace. The stored id stays. */
export function replaceRow(draft: Draft, collection: string, id: string, fields: Row): Row | undefined {
  const old = draft.find(collection, id)
  if (!old) return undefined
  const next = { ...fields, [draft.naming.id]: old[draft.naming.id] }
  draft.replace(collection, old, next)
  return next
}

/** Like `replaceRow`, but fields that are not given stay. */
export function patchRow(draft: Draft, collection: string, id: string, fields: Row): Row | undefined {
  const old = draft.find(collection, id)
  return old && replaceRow(draft, collection, id, { ...old, ...fields })
}

/** False when there is no row with this id. */
export function removeRow(draft: Draft, collection: string, id: string): boolean {
  const row = draft.find(collection, id)
  if (row) draft.remove(collection, [row])
  return row !== undefined
}

/** The same, with the rows that depend on it: of some collections, or of all. */
export function* removeWithDependents(
  draft: Draft,
  collection: string,
  id: string,
  among: 'all' | readonly string[],
): Work<boolean> {
  const row = draft.find(collection, id)
  if (!row) return false
  const dependents = yield* dependentsOf(draft, collection, row, among)
  draft.remove(collection, [row])
  for (const [name, rows] of dependents) {
    for (let start = 0; start < rows.length; start += STRETCH) {
      draft.remove(name, rows.slice(start, start + STRETCH))
      yield
    }
  }
  return true
}
