import { TimeSlice } from '../../kernel/util/pace.ts'
import { hasFieldIn, type TableSource } from '../data/database.ts'
import { byId, fieldText } from '../data/lookup.ts'
import { Table } from '../data/table.ts'
import { idOf } from '../id-of.ts'
import { cursorKeys, cursorPage } from '../query/cursor-page.ts'
import { type Decided, decide } from '../query/decide.ts'
import { frame } from '../query/page.ts'
import { EVERY_ROW, select } from '../query/select.ts'
import type { Condition, ListQuery, Selection, SortKey, Trace, Where, Word } from '../types.ts'
import { replaceLeaves } from '../where.ts'
import {
  findParent,
  keyByParent,
  mayUseParents,
  type ParentRelation,
  parentsOf,
  pathsTo,
  takeByParents,
} from './parent-fields.ts'
import type { Relation } from './resolve-relations.ts'

export async function selectIn(
  source: TableSource,
  collection: string,
  requested: ListQuery,
  trace?: Trace,
): Promise<Selection> {
  const id = idOf(collection, source.naming)
  const table = (await source.table(collection)) ?? Table.of([])
  if (!mayUseParents(requested)) return select(table, requested, id, trace)
  const joined = { source, collection, parents: await parentsOf(source, collection, requested) }
  const { query, ignored } = await decide(await replaceParents(joined, requested), { table, id })
  const sorting = await sortingParents(joined, query.sort)
  const extra = ignored.length > 0 && { ignored }
  if (sorting.length === 0) return { ...(await select(table, query, id, trace)), ...extra }
  const all: ListQuery = { ...query, sort: [], window: { kind: 'all' } }
  const { items } = await select(table, all, id, trace)
  const { window } = query
  if (window.kind === 'cursor') {
    const keys = await Promise.all(query.sort.map((key) => keyByParent(source, items, key, sorting)))
    return {
      ...(await cursorPage(items, cursorKeys(keys, id), window)),
      window,
      total: items.length,
      ...extra,
    }
  }
  const { start, end, head } = frame(items.length, window)
  const sorted = await takeByParents(source, items, query.sort, sorting, { start, end })
  return { items: sorted, window, ...head, ...extra }
}

/** Resolves a query: conditions on parents become conditions on foreign keys. */
export async function decideIn(
  source: TableSource,
  collection: string,
  requested: ListQuery,
): Promise<Decided> {
  const table = (await source.table(collection)) ?? Table.of([])
  let query = requested
  if (mayUseParents(requested)) {
    const parents = await parentsOf(source, collection, requested)
    query = await replaceParents({ source, collection, parents }, requested)
  }
  return decide(query, { table, id: idOf(collection, source.naming) })
}

interface Joined {
  readonly source: TableSource
  readonly collection: string
  readonly parents: readonly ParentRelation[]
}

/** Without relations: a condition on `company.name` becomes one on `company_id`, after matching parents are selected. */
async function replaceParents(joined: Joined, requested: ListQuery): Promise<ListQuery> {
  const replace = async (leaf: Condition) => [(await replaceCondition(joined, leaf)) ?? leaf]
  const words: Word[] = []
  for (const word of requested.words ?? []) {
    const { where } = word.means
    words.push(
      where ? { ...word, means: { ...word.means, where: await replaceLeaves(where, replace) } } : word,
    )
  }
  const where = await replaceLeaves(requested.where, replace)
  return { ...requested, where, ...(requested.words && { words }), embed: [], expand: [] }
}

async function sortingParents(joined: Joined, sort: readonly SortKey[]): Promise<readonly ParentRelation[]> {
  const used = new Set<ParentRelation>()
  for (const { path } of sort) {
    const parentPath = findParent(joined.parents, path)
    if (parentPath && !(await hasFieldIn(joined.source, joined.collection, path))) used.add(parentPath.parent)
  }
  return [...used]
}

async function replaceCondition(joined: Joined, requested: Condition): Promise<Where | undefined> {
  const { source, collection, parents } = joined
  const { parent } = findParent(parents, requested.path) ?? {}
  if (!parent || requested.required || (await hasFieldIn(source, collection, requested.path)))
    return undefined
  const { relation, key } = parent
  const test = await toParent(source, relation, requested)
  // Rows without a parent also match, so those with a non-null value are selected, and negated.
  const isNegated = test.op === 'null' && test.values[0] === 'true'
  const where = [isNegated ? { ...test, values: ['false'] } : test]
  const query = { ...EVERY_ROW, where, embed: pathsTo(relation.deeper) }
  const decided = await decideIn(source, relation.collection, query)
  if (decided.query.where.length === 0) return undefined
  const values = await keysOf(source, relation.collection, decided.query)
  const passing: Condition = { path: key, op: 'eq', values, required: true }
  return isNegated ? { not: passing } : passing
}

async function toParent(source: TableSource, relation: Relation, requested: Condition): Promise<Condition> {
  const within = ({ place: _, ...condition }: Condition): Condition => ({
    ...condition,
    path: condition.path.slice(relation.name.length + 1),
  })
  const { orElse, ...own } = requested
  const field = within(own)
  if (!orElse) return field
  // An operator, unless parents have a field of that name.
  return (await hasFieldIn(source, relation.collection, field.path)) ? field : within(orElse)
}

/** Of rows with the same id, only the first can be a parent. */
async function keysOf(source: TableSource, collection: string, query: ListQuery): Promise<readonly string[]> {
  const table = await source.table(collection)
  if (!table) return []
  const id = idOf(collection, source.naming)
  const find = await byId(table, id)
  const { items } = await selectIn(source, collection, query)
  const pace = new TimeSlice()
  const keys: string[] = []
  for (const row of items) {
    const key = fieldText(row, id)
    if (key !== undefined && find(key)?.row === row) keys.push(key)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return keys
}
