import type { IgnoredPart } from '../../catalogue/exchange.ts'
import type { Explanation } from '../../storage/question.ts'
import type { Where } from '../../storage/types.ts'
import { flatten } from '../../storage/where.ts'

/** A condition on parents has become one on foreign keys, which may be many. */
const MOST_VALUES = 100

/** The body of `_explain`. If `isLimited`, without the number of rows that the client may not read. */
export function showExplanation(
  resource: string,
  { query, plan }: Explanation,
  ignored: readonly IgnoredPart[],
  { ms, isLimited }: { readonly ms: number; readonly isLimited: boolean },
): unknown {
  const { where, search = null, sort, window, embed, expand, fields, omit } = query
  return {
    resource,
    filters: flatten(where).map(showWhere),
    search,
    sort: sort.map(({ path, order }) => ({ field: path, order })),
    window,
    relations: { embed, expand },
    ...(fields && { fields }),
    ...(omit && { omit }),
    ignored,
    plan: {
      uses: plan.uses.map(({ kind, path }) => ({ index: kind, field: path })),
      examined: isLimited ? plan.matched : plan.examined,
      matched: plan.matched,
    },
    ms: Math.round(ms * 100) / 100,
  }
}

function showWhere(where: Where): unknown {
  if ('and' in where) {
    const [first, ...more] = flatten(where.and)
    return first && more.length === 0 ? showWhere(first) : { and: flatten(where.and).map(showWhere) }
  }
  if ('or' in where) return { or: where.or.map(showWhere) }
  if ('not' in where) return { not: showWhere(where.not) }
  const { path, op, values } = where
  return { field: path, operator: op, values: values.slice(0, MOST_VALUES) }
}
