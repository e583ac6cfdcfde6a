import type { Changed } from '../../feed.ts'
import type { RelationInfo, ResourceInfo } from '../../service-info.ts'
import type { Store } from '../../storage/local/store.ts'
import { foreignKey } from '../../storage/relations/relations.ts'

/** Number of rows sampled to find out which fields a collection has. */
const SAMPLE = 50

/** What is currently served: collections and objects, item counts, and which fields reference what. */
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

/** The new counts of changed resources. */
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
