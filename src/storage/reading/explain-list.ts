import { hasFieldIn, type Source, sizeIn } from '../data/source.ts'
import { isCertain } from '../query/decide/paths-of.ts'
import { findTraps } from '../query/find-traps.ts'
import type { Explanation } from '../question.ts'
import { decideIn, selectIn } from '../relations/select-by-parents.ts'
import type { Ignored, ListQuery, Selection, Trace } from '../types.ts'
import { parameterOf } from '../where.ts'
import { ignoredNames, isOfParent } from './ignored-names.ts'

/** Runs a query to tell how it was understood and found. */
export async function explainList(
  source: Source,
  collection: string,
  asked: ListQuery,
): Promise<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = await decideIn(source, collection, asked)
  const selection = await selectIn(source, collection, asked, { trace })
  const { total, ignored = [] } = selection
  const { embed, expand } = asked
  return {
    query: { ...query, embed, expand },
    ignored: [...ignored, ...(await findIdle(source, collection, asked, selection))],
    plan: { ...trace, matched: total },
  }
}

/** What of a query has no effect on these rows, or hardly the one that is meant, apart from filters that are ignored. */
export async function findIdle(
  source: Source,
  collection: string,
  query: ListQuery,
  selection: Selection,
): Promise<readonly Ignored[]> {
  const searched = {
    naming: source.naming,
    has: (path: string) => hasFieldIn(source, collection, path),
    select: (asked: ListQuery) => selectIn(source, collection, asked),
  }
  return [
    ...(await ignoredNames(source, collection, query)),
    ...(await findHopeless(source, collection, query, selection.total)),
    ...(await findTraps(searched, query, selection)),
  ]
}

/**
 * Operators of json-server 0.17.4 are never ignored: on a field that no row has, they match nothing. So only where
 * nothing was found is there anything to look for.
 */
async function findHopeless(
  source: Source,
  collection: string,
  query: ListQuery,
  total: number,
): Promise<readonly Ignored[]> {
  if (total > 0 || !(await sizeIn(source, collection))) return []
  const hopeless: Ignored[] = []
  for (const where of query.where) {
    if (!('path' in where)) continue
    const meant = where.orElse ?? where
    if (meant.required || !isCertain(meant)) continue
    const { path } = meant
    if (path === source.naming.id || path === 'ids' || (await hasFieldIn(source, collection, path))) continue
    if (await isOfParent(source, collection, path, query)) continue
    if (where.orElse && (await hasFieldIn(source, collection, where.path))) continue
    const name = parameterOf(where)
    const isAttached = [...query.embed, ...query.expand].some((one) => path.startsWith(`${one}.`))
    hopeless.push({ name, reason: 'matches nothing', ...(isAttached && { detail: name }) })
  }
  return hopeless
}
