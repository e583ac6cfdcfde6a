import { frame } from '../../query/page.ts'
import type { ListQuery, Operator, Where } from '../../types.ts'
import type { Resource } from '../layout/catalog.ts'
import { MOST_ROWS } from './one-statement.ts'

/** Rows that PostgreSQL goes through in a moment. */
const A_MOMENT = 20_000

/** What an index finds; of others it leaves almost everything. */
const FOUND: ReadonlySet<Operator> = new Set(['eq', 'in', 'gte', 'gt', 'lte', 'lt', 'between'])

/** An index of words knows three characters or more that stand together. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u

/**
 * Whether a query takes a moment, as far as one can tell: others wait behind it.
 * @param areIndexed whether there are indexes of all slots that it uses
 */
export function isShort(
  { where, search, sort, window }: ListQuery,
  { rows, isDense }: Resource,
  areIndexed: boolean,
): boolean {
  const { start, end } = frame(rows, window)
  const isAll = where.length === 0 && search === undefined
  if (isAll && end - start > MOST_ROWS) return false
  if (rows <= A_MOMENT) return true
  // Rows that come before the first one are counted, unless its place follows from its position.
  if (isAll && sort.length === 0 && isDense) return true
  if (isAll) return areIndexed && start <= A_MOMENT
  return areIndexed && (where.some(isFound) || (search !== undefined && TRIGRAM.test(search)))
}

function isFound(where: Where): boolean {
  if ('and' in where) return where.and.some(isFound)
  if ('or' in where) return where.or.length > 0 && where.or.every(isFound)
  return 'op' in where && FOUND.has(where.op)
}
