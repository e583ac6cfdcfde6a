import { frame } from '../../query/page.ts'
import type { ListQuery, Operator, Where } from '../../types.ts'
import type { Resource } from '../layout/catalog.ts'
import { skipped } from './asking.ts'
import { MOST_ROWS } from './one-statement.ts'

/** Rows that PostgreSQL goes through in a moment. */
const A_MOMENT = 20_000

/** What an index finds; of others it leaves almost everything. A range may be almost everything, too, until it was counted. */
const NAMED: readonly Operator[] = ['eq', 'in']
const FOUND: readonly Operator[] = [...NAMED, 'gte', 'gt', 'lte', 'lt', 'between']

/** An index of words knows three characters or more that stand together. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u

interface Known {
  /** Whether there are indexes of all slots that it uses. */
  readonly areIndexed: boolean
  /** How many rows it finds; undefined if nobody has counted. */
  readonly total: number | undefined
}

/** Whether a query takes a moment, as far as one can tell: others wait behind it. */
export function isShort(
  { where, search, sort, window }: ListQuery,
  { rows, isDense }: Resource,
  { areIndexed, total }: Known,
): boolean {
  const { start, end } = frame(total ?? rows, window)
  const isAll = where.length === 0 && search === undefined
  if (isAll && end - start > MOST_ROWS) return false
  if (rows <= A_MOMENT) return true
  // Rows that come before the first one, or after the last, are counted, unless places follow from positions.
  if (isAll && sort.length === 0 && isDense) return true
  const walked = total === undefined ? start : skipped({ start, end }, total)
  if (!areIndexed || walked > A_MOMENT) return false
  const found = total === undefined ? NAMED : FOUND
  return isAll || where.some((one) => isFound(one, found)) || (search !== undefined && TRIGRAM.test(search))
}

function isFound(where: Where, found: readonly Operator[]): boolean {
  if ('and' in where) return where.and.some((part) => isFound(part, found))
  if ('or' in where) return where.or.length > 0 && where.or.every((part) => isFound(part, found))
  return 'op' in where && found.includes(where.op)
}
