import type { ListQuery, Operator } from '../../storage/types.ts'
import { leavesOf } from '../../storage/where.ts'
import { RequestError } from '../request-error.ts'

/**
 * What one query may ask of every row. Far more than people do; without it the longest URL that Node takes
 * keeps a server with some thousand rows busy for seconds, and all others waiting.
 */
const MOST = { patterns: 50, nested: 50, sorts: 30 } as const

/** Each of their values is tried on every row; of others, however many there are, only one is. */
const PATTERNS: ReadonlySet<Operator> = new Set(['like', 'contains', 'startsWith', 'endsWith', 'between'])

/** The same query, unless it asks for more work than a server for many can do. */
export function checkQuery(query: ListQuery): ListQuery {
  const { where, words = [] } = query
  const leaves = [...where, ...words.flatMap(({ means }) => means.where ?? [])].flatMap(leavesOf)
  const patterns = leaves.reduce((sum, { orElse, ...own }) => sum + patternsIn(orElse ?? own), 0)
  const nested = leaves.filter(({ path }) => /[.[]/.test(path)).length
  const sorts = Math.max(query.sort.length, ...words.map(({ means }) => means.sort?.length ?? 0))
  if (patterns > MOST.patterns)
    refuse(`${MOST.patterns} patterns (_like, _contains, _startsWith, _endsWith, _between)`)
  if (nested > MOST.nested) refuse(`${MOST.nested} filters on nested fields`)
  if (sorts > MOST.sorts) refuse(`${MOST.sorts} fields to sort by`)
  return query
}

function patternsIn({ op, values }: { op: Operator; values: readonly string[] }): number {
  if (!PATTERNS.has(op)) return 0
  return op === 'between' ? values.length / 2 : values.length
}

function refuse(what: string): never {
  throw new RequestError('INVALID_QUERY', `The query has more than ${what}; ask for less at a time.`)
}
