import type { Filter } from '../../storage/change.ts'
import type { Word } from '../../storage/types.ts'
import { leavesOf } from '../../storage/where.ts'
import { parseQuery } from '../query/parse-query.ts'
import { checkQuery } from '../query/query-limits.ts'
import { RequestError } from '../request-error.ts'

/**
 * The rows of a collection that a PATCH or DELETE changes. Unlike in a read, nothing is ignored: a parameter that is
 * not understood would change rows that nobody meant. The engine checks what depends on the rows.
 */
export function filterOf(query: Record<string, unknown>, method: string): Filter {
  for (const [name, value] of Object.entries(query)) {
    if (MEANINGLESS.has(name) || (name === '_dependent' && method !== 'DELETE')) {
      refuse(`${name} means nothing where rows are changed; leave it out.`)
    }
    if (!isText(value)) refuse(`The value of ${name} cannot be read; write it as ${name}=value.`)
  }
  const { _dependent, _all, _strict, ...asked } = query
  const { search, where, sort, window, embed, expand, ...rest } = checkQuery(parseQuery(asked))
  if (sort.length > 0 || window.kind !== 'all' || embed.length + expand.length > 0) {
    refuse('Sorting, paging and relations mean nothing where rows are changed; leave them out.')
  }
  const words = [...(rest.words ?? []), ...(_all === undefined ? [] : [meaningOfAll(_all)])]
  // A write is strict anyway.
  if (_strict !== undefined) words.push({ name: '_strict', values: [_strict].flat().map(String), means: {} })
  const conditions = [...where, ...words.flatMap(({ means }) => means.where ?? [])]
  if (conditions.flatMap(leavesOf).length === 0 && search === undefined && _all === undefined) {
    refuse('Without a filter every item would be changed; add one, or _all=true if that is what you mean.')
  }
  return { ...rest, where, words, ...(search !== undefined && { search }) }
}

/** As with every new parameter, a field of that name takes precedence. */
function meaningOfAll(value: unknown): Word {
  const means = value === 'true' ? {} : { error: '_all can only be true. Nothing was changed.' }
  return { name: '_all', values: [value].flat().map(String), means }
}

/** Parameters of lists that are not filters. */
const MEANINGLESS = new Set([
  ...['_sort', '_order', '_page', '_limit', '_start', '_end', '_embed', '_expand', '_upsert'],
])

/** A string, or a list of strings. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every(isText))
}

function refuse(message: string): never {
  throw new RequestError('INVALID_QUERY', `${message} Nothing was changed.`)
}
