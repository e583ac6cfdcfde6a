import type { Condition, ListQuery, Operator, Relations, SortKey, Window } from '../../storage/types.ts'

/** Reads the parameters of a list as json-server 0.17.4 does. Never throws: what makes no sense is no wish. */
export function parseQuery(query: Record<string, unknown>): ListQuery {
  const search = strings(query.q)[0]?.toLowerCase()
  return {
    ...(search ? { search } : {}),
    where: parseConditions(query),
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

const SUFFIXES: readonly Operator[] = ['gte', 'lte', 'ne', 'like']

function parseConditions(query: Record<string, unknown>): Condition[] {
  return Object.keys(query)
    .filter((key) => !RESERVED.has(key))
    .map((key) => {
      const op = SUFFIXES.find((suffix) => key.endsWith(`_${suffix}`))
      const path = op ? key.slice(0, -op.length - 1) : key
      return { path, op: op ?? 'eq', values: strings(query[key]) }
    })
}

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

/** `_page` wins over `_end`, `_end` over `_limit`. An empty value counts as none, one that is no number as NaN. */
function parseWindow({ _page, _start, _end, _limit }: Record<string, unknown>): Window {
  if (isGiven(_page))
    return { kind: 'page', page: Math.max(integer(_page) || 1, 1), size: integer(_limit) || 10 }
  const start = integer(_start) || 0
  if (isGiven(_end)) return { kind: 'slice', start, end: integer(_end) || 0 }
  if (isGiven(_limit) && isGiven(_start)) return { kind: 'slice', start, end: start + integer(_limit) || 0 }
  if (isGiven(_limit)) return { kind: 'limit', count: integer(_limit) || 0 }
  if (isGiven(_start)) return { kind: 'slice', start }
  return { kind: 'all' }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

function integer(value: unknown): number {
  return Number.parseInt(strings(value)[0] ?? '', 10)
}

function names(value: unknown): string[] {
  const all = strings(value).flatMap((text) => text.split(','))
  return [...new Set(all.map((name) => name.trim()).filter((name) => name !== ''))]
}

/** The texts of a parameter, however it was repeated. An object (`a[b]=c`) has none, unless its keys are indexes. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value) || Object.keys(value).every((key) => /^\d+$/.test(key))
  return isList ? Object.values(value).filter((item) => typeof item === 'string') : []
}
