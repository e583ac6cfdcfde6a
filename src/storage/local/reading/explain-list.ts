import type { Work } from '../../../work/in-slices.ts'
import { isCertain } from '../../query/decide/paths-of.ts'
import type { Explanation } from '../../question.ts'
import { mayUseParents, type Selecting } from '../../relations/parent-fields.ts'
import type { Ignored, ListQuery, Trace } from '../../types.ts'
import { parameterOf } from '../../where.ts'
import { ignoredNames } from './ignored-names.ts'

/** Runs a query to tell how it was understood and found. */
export function* explainList(local: Selecting, collection: string, asked: ListQuery): Work<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = yield* local.deciding(collection, asked)
  const { total, ignored = [] } = yield* local.selecting(collection, asked, undefined, undefined, trace)
  const { embed, expand } = asked
  return {
    query: { ...query, embed, expand },
    ignored: [...ignored, ...(yield* findIdle(local, collection, asked, total))],
    plan: { ...trace, matched: total },
  }
}

/** What of a query has no effect on these rows, apart from filters that are ignored. */
export function* findIdle(
  local: Selecting,
  collection: string,
  query: ListQuery,
  total: number,
): Work<readonly Ignored[]> {
  return [
    ...(yield* ignoredNames(local, collection, query)),
    ...(yield* findHopeless(local, collection, query, total)),
  ]
}

/**
 * Operators of json-server 0.17.4 are never ignored: on a field that no row has, they match nothing. So only where
 * nothing was found is there anything to look for.
 */
function* findHopeless(
  local: Selecting,
  collection: string,
  query: ListQuery,
  total: number,
): Work<readonly Ignored[]> {
  if (total > 0 || !local.sizeOf(collection)) return []
  const hopeless: Ignored[] = []
  const isOfParent = (path: string) => path.includes('.') && mayUseParents(query)
  for (const where of query.where) {
    if (!('path' in where)) continue
    const meant = where.orElse ?? where
    if (meant.required || !isCertain(meant)) continue
    const { path } = meant
    const isKnown = path === local.naming.id || path === 'ids' || isOfParent(path)
    if (isKnown || (yield* local.hasField(collection, path))) continue
    if (where.orElse && (yield* local.hasField(collection, where.path))) continue
    hopeless.push({ name: parameterOf(where), reason: 'matches nothing' })
  }
  return hopeless
}
