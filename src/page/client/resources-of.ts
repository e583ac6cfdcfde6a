import pluralize from 'pluralize'
import type { RelationInfo, ResourceInfo } from '../../core/kernel/catalogue/service-info.ts'

/** Rows sampled to find the fields of a collection. */
const SAMPLE = 50

/** json-server's default, and the other common suffix of foreign keys. */
const SUFFIXES = ['Id', '_id']

/** Derives the resources from the data, for servers that do not describe themselves. */
export function resourcesOf(data: unknown): ResourceInfo[] {
  if (typeof data !== 'object' || data === null) return []
  const all = Object.entries(data).filter(([, value]) => typeof value === 'object' && value !== null)
  const collections = all.filter(([, value]) => Array.isArray(value)).map(([name]) => name)
  return all.map(([name, value]: [string, unknown]) =>
    Array.isArray(value)
      ? { name, kind: 'collection', count: value.length, relations: relationsOf(value, collections) }
      : { name, kind: 'object', count: null, relations: [] },
  )
}

function relationsOf(rows: readonly unknown[], collections: readonly string[]): RelationInfo[] {
  const fields = new Set(rows.slice(0, SAMPLE).flatMap((row) => Object.keys(Object(row))))
  return collections.flatMap((resource) => {
    const expand = pluralize.singular(resource)
    return SUFFIXES.map((suffix) => ({ field: expand + suffix, resource, expand })).filter(({ field }) =>
      fields.has(field),
    )
  })
}
