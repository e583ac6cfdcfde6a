import type { ListQuery, Relations, SortKey } from '../../storage/types.ts'
import { parseParameter } from './operators.ts'
import { parseWindow } from './parse-window.ts'
import { names, strings } from './strings.ts'

/** Reads the parameters of a list as json-server 0.17.4 does. Never throws: what makes no sense is no wish. */
export function parseQuery(query: Record<string, unknown>): ListQuery {
  const search = strings(query.q)[0]?.toLowerCase()
  return {
    ...(search ? { search } : {}),
    where: Object.keys(query)
      .filter((name) => !RESERVED.has(name))
      .map((name) => parseParameter(name, strings(query[name]))),
    sort: parseSort(query),
    window: parseWindow(query),
    ...parseRelations(query),
  }
}

/** Reads the relations to put into an item, or into each item of a list. */
export function parseRelations(query: Record<string, unknown>): Relations {
  return { embed: names(query._embed), expand: names(query._expand) }
}

/** Reads the collections of which a deletion may take the dependents with it: `_dependent=a,b`. */
export function parseDependents(query: Record<string, unknown>): readonly string[] {
  return names(query._dependent)
}

/** Parameters that are never filters, even where rows have a field of that name. */
const RESERVED = new Set([
  ...['q', '_sort', '_order', '_page', '_limit', '_start', '_end', '_embed', '_expand', '_delay'],
  // JSONP's function, and the number by which jQuery keeps answers out of caches.
  ...['callback', '_'],
])

function parseSort(query: Record<string, unknown>): SortKey[] {
  const paths = strings(query._sort).join(',')
  if (paths === '') return []
  const orders = strings(query._order).join(',').toLowerCase().split(',')
  const keys = new Map<string, SortKey>()
  for (const [index, path] of paths.split(',').entries()) {
    // Rows that are equal by a field stay so when asked again.
    if (!keys.has(path)) keys.set(path, { path, order: orders[index] === 'desc' ? 'desc' : 'asc' })
  }
  return [...keys.values()]
}
