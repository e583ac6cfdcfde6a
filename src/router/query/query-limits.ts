import { OPERATORS } from '../../query/operators.ts'
import type { ListQuery } from '../../storage/types.ts'
import { everyLeaf } from '../../storage/where.ts'
import { RequestError } from '../request-error.ts'

/** Limits on the work per row: without them, the longest URL keeps a server of a few thousand rows busy for seconds. */
const MOST = { patterns: 50, nested: 50, sorts: 30 } as const

export function checkQuery(query: ListQuery): ListQuery {
  let [patterns, nested, sorts] = [0, 0, query.sort.length]
  for (const { orElse, path, ...own } of everyLeaf(query)) {
    const { op, values } = orElse ?? own
    const { compares, takes } = OPERATORS[op]
    // All of these are tried on every row; others compare once, however many values there are.
    if (takes === 'pair') patterns += values.length / 2
    else if (compares === 'pattern') patterns += values.length
    if (/[.[]/.test(path)) nested++
  }
  for (const { means } of query.words ?? []) sorts = Math.max(sorts, means.sort?.length ?? 0)
  if (patterns > MOST.patterns)
    refuse(`${MOST.patterns} patterns (_like, _contains, _startsWith, _endsWith, _between)`)
  if (nested > MOST.nested) refuse(`${MOST.nested} filters on nested fields`)
  if (sorts > MOST.sorts) refuse(`${MOST.sorts} fields to sort by`)
  return query
}

function refuse(what: string): never {
  throw new RequestError('INVALID_QUERY', `The query has more than ${what}; use fewer.`)
}
