import { hasFieldIn, type Source, sizeIn } from '../data/source.ts'
import type { Explanation } from '../question.ts'
import { mayUseParents } from '../relations/parent-fields.ts'
import { decideIn, selectIn } from '../relations/select-by-parents.ts'
import type { Ignored, ListQuery, Trace } from '../types.ts'
import { ignoredNames } from './ignored-names.ts'

/** Runs a query to tell how it was understood and found. */
export async function explainList(
  source: Source,
  collection: string,
  asked: ListQuery,
): Promise<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = await decideIn(source, collection, asked)
  const { total, ignored = [] } = await selectIn(source, collection, asked, { trace })
  const { embed, expand } = asked
  return {
    query: { ...query, embed, expand },
    ignored: [...ignored, ...(await findIdle(source, collection, asked, total))],
    plan: { ...trace, matched: total },
  }
}

/** What of a query has no effect on these rows, apart from filters that are ignored. */
export async function findIdle(
  source: Source,
  collection: string,
  query: ListQuery,
  total: number,
): Promise<readonly Ignored[]> {
  return [
    ...(await ignoredNames(source, collection, query)),
    ...(await findHopeless(source, collection, query, total)),
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
  const isOfParent = (path: string) => path.includes('.') && mayUseParents(query)
  for (const where of query.where) {
    if (!('path' in where) || where.op === 'eq' || where.required || where.orElse || where.place) continue
    const { path, op } = where
    const isKnown = path === source.naming.id || path === 'ids' || isOfParent(path)
    if (isKnown || (await hasFieldIn(source, collection, path))) continue
    hopeless.push({ name: `${path}_${op}`, reason: 'matches nothing' })
  }
  return hopeless
}
