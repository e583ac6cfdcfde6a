import type { ListQuery } from '../../storage/types.ts'
import { RequestError } from '../request-error.ts'

/**
 * What one query may ask of every row. Far more than people do; without it the longest URL that Node takes
 * keeps a server with some thousand rows busy for seconds, and all others waiting.
 */
const MOST = { patterns: 50, nested: 50, sorts: 30 } as const

/** The same query, unless it asks for more work than a server for many can do. */
export function checkQuery(query: ListQuery): ListQuery {
  const patterns = query.where.reduce((sum, { op, values }) => sum + (op === 'like' ? values.length : 0), 0)
  const nested = query.where.filter(({ path }) => /[.[]/.test(path)).length
  if (patterns > MOST.patterns) refuse(`${MOST.patterns} patterns (_like)`)
  if (nested > MOST.nested) refuse(`${MOST.nested} filters on nested fields`)
  if (query.sort.length > MOST.sorts) refuse(`${MOST.sorts} fields to sort by`)
  return query
}

function refuse(what: string): never {
  throw new RequestError('INVALID_QUERY', `The query has more than ${what}; ask for less at a time.`)
}
