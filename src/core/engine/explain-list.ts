import { hasFieldIn, type TableSource } from './data/database.ts'
import { hasField } from './data/fields.ts'
import type { Table } from './data/table.ts'
import { idOf } from './id-of.ts'
import { matchesNothing } from './query/decide.ts'
import { findTraps } from './query/find-traps.ts'
import type { Explanation } from './question.ts'
import { findParent, parentsOf } from './relations/parent-fields.ts'
import { attachesNothing } from './relations/resolve-relations.ts'
import { decideIn, selectIn } from './relations/select-by-parents.ts'
import type { Ignored, ListQuery, Relations, Selection, Trace } from './types.ts'
import { parameterOf } from './where.ts'

export async function explainList(
  source: TableSource,
  collection: string,
  list: ListQuery,
): Promise<Explanation> {
  const trace: Trace = { uses: [], examined: 0 }
  const { query } = await decideIn(source, collection, list)
  const selection = await selectIn(source, collection, list, trace)
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
  source: TableSource,
  collection: string,
  query: ListQuery,
  selection: Pick<Selection, 'items' | 'total'>,
): Promise<readonly Ignored[]> {
  const table = await source.table(collection)
  if (!table || table.size === 0) return []
  const { where, sort, words = [], embed, expand, fields, omit } = query
  const id = idOf(collection, source.naming)
  const idle: Ignored[] = []
  // Names of fields and relations that no row has: `_sort=prcie`, `_embed=prodcts`, `_fields=nmae`.
  const sorts = words.length === 0 ? sort : [...sort, ...words.flatMap(({ means }) => means.sort ?? [])]
  for (const { path } of sorts.slice(0, MOST)) {
    const name = path.startsWith('-') && !(await hasField(table, path)) ? path.slice(1) : path
    if (name === id || (await hasField(table, name))) continue
    if (!(await isOfParent(source, collection, name, query))) idle.push(unknownField('_sort', name))
  }
  if (embed.length + expand.length > 0) idle.push(...(await ignoredRelations(source, collection, query)))
  if (fields) idle.push(...(await ignoredFields(table, id, '_fields', fields, query)))
  if (omit) idle.push(...(await ignoredFields(table, id, '_omit', omit, query)))
  if (selection.total === 0) idle.push(...(await findHopeless(source, collection, table, query)))
  if (where.length > 0 || query.words) idle.push(...(await findTraps(table, id, query, selection)))
  return idle
}

/** Each name may cost a look at all rows. */
const MOST = 20

/** Values are not reported: filters on an item do nothing even with good ones. */
export async function findIdleOnItem(
  source: TableSource,
  collection: string,
  query: ListQuery,
): Promise<readonly Ignored[]> {
  const { ignored } = await decideIn(source, collection, query)
  const idle = await findIdle(source, collection, query, { items: [], total: 0 })
  return [...ignored, ...idle].filter(({ reason }) => reason !== 'unreadable value')
}

async function findHopeless(
  source: TableSource,
  collection: string,
  table: Table,
  query: ListQuery,
): Promise<readonly Ignored[]> {
  const hopeless: Ignored[] = []
  for (const where of query.where) {
    if (!('path' in where) || !(await matchesNothing(where, { table, id: idOf(collection, source.naming) })))
      continue
    const { path } = where.orElse ?? where
    if (await isOfParent(source, collection, path, query)) continue
    const name = parameterOf(where)
    const isAttached = [...query.embed, ...query.expand].some((one) => path.startsWith(`${one}.`))
    hopeless.push({ name, reason: 'matches nothing', ...(isAttached && { detail: name }) })
  }
  return hopeless
}

async function isOfParent(
  source: TableSource,
  collection: string,
  path: string,
  query: ListQuery,
): Promise<boolean> {
  if (!path.includes('.') || query.embed.length + query.expand.length === 0) return false
  const match = findParent(await parentsOf(source, collection, query), path)
  if (!match) return false
  const { relation } = match.parent
  const deeper = { ...query, embed: relation.deeper.map(({ name }) => name), expand: [] }
  return (
    (await hasFieldIn(source, relation.collection, match.rest)) ||
    (await isOfParent(source, relation.collection, match.rest, deeper))
  )
}

async function ignoredRelations(
  source: TableSource,
  collection: string,
  { embed, expand }: Relations,
): Promise<readonly Ignored[]> {
  const requested = [
    ...embed.map((name) => ({ word: '_embed', name, relations: { embed: [name], expand: [] } })),
    ...expand.map((name) => ({ word: '_expand', name, relations: { embed: [], expand: [name] } })),
  ]
  const ignored: Ignored[] = []
  for (const { word, name, relations } of requested.slice(0, MOST)) {
    if (await attachesNothing(source, collection, relations))
      ignored.push({ name: `${word}=${name}`, reason: 'unknown relation', detail: name })
  }
  return ignored
}

/** Fields of an attached relation are not checked. */
async function ignoredFields(
  table: Table,
  id: string,
  word: string,
  paths: readonly string[],
  { embed, expand }: Relations,
): Promise<readonly Ignored[]> {
  if (await hasField(table, word)) return []
  const attached = new Set([...embed, ...expand].flatMap((name) => [name, name.split('.', 1)[0]]))
  const ignored: Ignored[] = []
  for (const path of paths.slice(0, MOST)) {
    const isKnown = path === id || attached.has(path) || attached.has(path.split('.', 1)[0])
    if (!isKnown && !(await hasField(table, path))) ignored.push(unknownField(word, path))
  }
  return ignored
}

function unknownField(word: string, path: string): Ignored {
  return { name: `${word}=${path}`, reason: 'unknown field', detail: path }
}
