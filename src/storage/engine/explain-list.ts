import type { Source } from '../data/database.ts'
import { hasField } from '../data/fields.ts'
import type { Table } from '../data/table.ts'
import { isCertain } from '../query/decide.ts'
import { findTraps } from '../query/find-traps.ts'
import type { Explanation } from '../question.ts'
import { decideIn, selectIn } from '../relations/select-by-parents.ts'
import type { Ignored, ListQuery, Selection, Trace } from '../types.ts'
import { parameterOf } from '../where.ts'
import { ignoredNames, isOfParent } from './ignored-names.ts'

export async function explainList(source: Source, collection: string, list: ListQuery): Promise<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = await decideIn(source, collection, list)
  const selection = await selectIn(source, collection, list, { trace })
  const { total, ignored = [] } = selection
  const { embed, expand } = list
  return {
    query: { ...query, embed, expand },
    ignored: [...ignored, ...(await findIdle(source, collection, list, selection))],
    plan: { ...trace, matched: total },
  }
}

/** Parts of a query that have no effect on these rows, or hardly the intended one, besides ignored filters. */
export async function findIdle(
  source: Source,
  collection: string,
  query: ListQuery,
  selection: Pick<Selection, 'items' | 'total'>,
): Promise<readonly Ignored[]> {
  const table = await source.table(collection)
  if (!table || table.size === 0) return []
  const idle = await ignoredNames(source, collection, table, query)
  if (selection.total === 0) idle.push(...(await findHopeless(source, collection, table, query)))
  if (query.where.length === 0 && !query.words) return idle
  const searched = {
    naming: source.naming,
    has: async (path: string) => hasField(table, path),
    select: (sample: ListQuery) => selectIn(source, collection, sample),
  }
  idle.push(...(await findTraps(searched, query, selection)))
  return idle
}

/** Values are not reported: filters on an item do nothing even with good ones. */
export async function findIdleOnItem(
  source: Source,
  collection: string,
  query: ListQuery,
): Promise<readonly Ignored[]> {
  const { ignored } = await decideIn(source, collection, query)
  const idle = await findIdle(source, collection, query, { items: [], total: 0 })
  return [...ignored, ...idle].filter(({ reason }) => reason !== 'unreadable value')
}

/** Operators of json-server 0.17.4 are never ignored: on an unknown field, they match nothing. */
async function findHopeless(
  source: Source,
  collection: string,
  table: Table,
  query: ListQuery,
): Promise<readonly Ignored[]> {
  const hopeless: Ignored[] = []
  for (const where of query.where) {
    if (!('path' in where)) continue
    const condition = where.orElse ?? where
    if (condition.required || !isCertain(condition)) continue
    const { path } = condition
    if (path === source.naming.id || path === 'ids' || (await hasField(table, path))) continue
    if (await isOfParent(source, collection, path, query)) continue
    if (where.orElse && (await hasField(table, where.path))) continue
    const name = parameterOf(where)
    const isAttached = [...query.embed, ...query.expand].some((one) => path.startsWith(`${one}.`))
    hopeless.push({ name, reason: 'matches nothing', ...(isAttached && { detail: name }) })
  }
  return hopeless
}
