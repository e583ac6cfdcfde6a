import type { Changed } from '../../feed.ts'
import type { RelationInfo, ResourceInfo } from '../../service-info.ts'
import type { Store } from '../../storage/local/store.ts'
import { foreignKey } from '../../storage/relations/relations.ts'

/** Rows looked at to learn which fields a collection has. */
const SAMPLE = 50

/** What is served now: collections and objects, how many items, and which fields point where. */
export function describeResources(store: Store): ResourceInfo[] {
  const collections = store.names().filter((name) => store.kindOf(name) === 'collection')
  const keys = new Map(collections.map((name) => [foreignKey(name, store.naming), name]))
  return store.names().map((name) => {
    const rows = store.rows(name)
    if (rows === undefined) return { name, kind: 'object', count: null, relations: [] }
    const fields = new Set(rows.slice(0, SAMPLE).flatMap((row) => Object.keys(row ?? {})))
    const relations = [...fields].flatMap((field) => relationOf(field, keys, store.naming.foreignKeySuffix))
    return { name, kind: 'collection', count: rows.length, relations }
  })
}

/** What to tell of resources that changed: their new counts. */
export function describeChange(store: Store, names: readonly string[]): Changed[] {
  return names.map((name) => {
    const rows = store.rows(name)
    return rows === undefined ? { name } : { name, count: rows.length }
  })
}

function relationOf(field: string, keys: ReadonlyMap<string, string>, suffix: string): RelationInfo[] {
  const resource = keys.get(field)
  return resource === undefined ? [] : [{ field, resource, expand: field.slice(0, -suffix.length) }]
}
