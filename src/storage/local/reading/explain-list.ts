import type { Work } from '../../../work/in-slices.ts'
import { isCertain } from '../../query/decide/paths-of.ts'
import { findTraps } from '../../query/find-traps.ts'
import type { Explanation } from '../../question.ts'
import type { Selecting } from '../../relations/parent-fields.ts'
import type { Ignored, ListQuery, Selection, Trace } from '../../types.ts'
import { parameterOf } from '../../where.ts'
import { ignoredNames, isOfParent } from './ignored-names.ts'

/** Runs a query to tell how it was understood and found. */
export function* explainList(local: Selecting, collection: string, asked: ListQuery): Work<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = yield* local.deciding(collection, asked)
  const selection = yield* local.selecting(collection, asked, undefined, undefined, trace)
  const { total, ignored = [] } = selection
  const { embed, expand } = asked
  return {
    query: { ...query, embed, expand },
    ignored: [...ignored, ...(yield* findIdle(local, collection, asked, selection))],
    plan: { ...trace, matched: total },
  }
}

/** What of a query has no effect on these rows, or hardly the one that is meant, apart from filters that are ignored. */
export function* findIdle(
  local: Selecting,
  collection: string,
  query: ListQuery,
  selection: Selection,
): Work<readonly Ignored[]> {
  const searched = {
    naming: local.naming,
    has: (path: string) => local.hasField(collection, path),
    select: (asked: ListQuery) => local.selecting(collection, asked),
  }
  return [
    ...(yield* ignoredNames(local, collection, query)),
    ...(yield* findHopeless(local, collection, query, selection.total)),
    ...(yield* findTraps(searched, query, selection)),
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
  for (const where of query.where) {
    if (!('path' in where)) continue
    const meant = where.orElse ?? where
    if (meant.required || !isCertain(meant)) continue
    const { path } = meant
    if (path === local.naming.id || path === 'ids' || (yield* local.hasField(collection, path))) continue
    if (yield* isOfParent(local, collection, path, query)) continue
    if (where.orElse && (yield* local.hasField(collection, where.path))) continue
    const name = parameterOf(where)
    const isAttached = [...query.embed, ...query.expand].some((one) => path.startsWith(`${one}.`))
    hopeless.push({ name, reason: 'matches nothing', ...(isAttached && { detail: name }) })
  }
  return hopeless
}
