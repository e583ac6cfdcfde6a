import type { Draft } from './draft.ts'
import { dependentsOf } from './relations.ts'
import type { Row } from './types.ts'

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

/** Which rows go with a removed one: none, those of some collections, or all that depend on it. */
export type Dependents = 'none' | 'all' | readonly string[]

/** False when there is no row with this id. */
export function removeRow(draft: Draft, collection: string, id: string, dependents: Dependents): boolean {
  const row = draft.find(collection, id)
  if (!row) return false
  const others = dependents === 'none' ? [] : dependentsOf(draft, collection, row, dependents)
  draft.remove(collection, [row])
  for (const [name, rows] of others) draft.remove(name, rows)
  return true
}
