import { Pace } from '../../work/pace.ts'
import { byId } from '../data/lookup.ts'
import { hasFieldIn, type Source } from '../data/source.ts'
import { isRow } from '../is-row.ts'
import type { Decided } from '../query/decide.ts'
import { keyOf } from '../query/key-of.ts'
import type { Condition, ListQuery, Row, Selection, Where, Word } from '../types.ts'
import { findParent, type Parent, pathsTo } from './parent-fields.ts'
import type { Relation } from './relation.ts'
import { ownField } from './relations.ts'

/** Where parents are found: a query about them may be about parents of their own. */
export interface ParentSource extends Source {
  decide(collection: string, query: ListQuery): Promise<Decided>
  select(collection: string, query: ListQuery): Promise<Selection>
}

/**
 * The same query with conditions on fields of parents, such as `company.name`, replaced by what they come to: those
 * parents are found first, and then `company_id` has to be one of theirs.
 */
export async function filterByParents(
  source: ParentSource,
  collection: string,
  query: ListQuery,
  parents: readonly Parent[],
): Promise<ListQuery> {
  const replace = (where: readonly Where[]) => replaceAll(source, collection, where, parents)
  const words: Word[] = []
  for (const word of query.words ?? []) {
    const { where } = word.means
    words.push(where ? { ...word, means: { ...word.means, where: await replace(where) } } : word)
  }
  const where = await replace(query.where)
  return { ...query, where, ...(query.words && { words }) }
}

async function replaceAll(
  source: ParentSource,
  collection: string,
  all: readonly Where[],
  parents: readonly Parent[],
): Promise<readonly Where[]> {
  const replaced: Where[] = []
  const inside = (parts: readonly Where[]) => replaceAll(source, collection, parts, parents)
  for (const where of all) {
    if ('and' in where) replaced.push({ and: await inside(where.and) })
    else if ('or' in where) replaced.push({ or: await inside(where.or) })
    else if ('not' in where) for (const not of await inside([where.not])) replaced.push({ not })
    else replaced.push((await replaceCondition(source, collection, where, parents)) ?? where)
  }
  return replaced
}

/** Undefined if it is not about a parent, or its parents have no such field. */
async function replaceCondition(
  source: ParentSource,
  collection: string,
  asked: Condition,
  parents: readonly Parent[],
): Promise<Where | undefined> {
  const { parent } = findParent(parents, asked.path) ?? {}
  if (!parent || asked.required || (await hasFieldIn(source, collection, asked.path))) return undefined
  const { relation, key } = parent
  const test = await toParent(source, relation, asked)
  // Without a parent, a row has none of its fields: those that have one are found, and are not meant.
  const isNegated = test.op === 'null' && test.values[0] === 'true'
  const query: ListQuery = {
    where: [isNegated ? { ...test, values: ['false'] } : test],
    sort: [],
    window: { kind: 'all' },
    embed: pathsTo(relation.deeper),
    expand: [],
  }
  const decided = await source.decide(relation.collection, query)
  if (decided.query.where.length === 0) return undefined
  const values = await keysOf(source, relation.collection, decided.query)
  const passing: Condition = { path: key, op: 'eq', values, required: true }
  return isNegated ? { not: passing } : passing
}

/** The condition as one on the parents themselves. */
async function toParent(
  source: ParentSource,
  { name, collection }: Relation,
  asked: Condition,
): Promise<Condition> {
  const within = ({ place: _, ...condition }: Condition): Condition => ({
    ...condition,
    path: condition.path.slice(name.length + 1),
  })
  const { orElse, ...own } = asked
  const field = within(own)
  if (!orElse) return field
  // An operator, unless parents have a field that is spelled so.
  return (await hasFieldIn(source, collection, field.path)) ? field : within(orElse)
}

/** The ids of the rows that a query finds. Of rows with the same id only the first can be anybody's parent. */
async function keysOf(
  source: ParentSource,
  collection: string,
  query: ListQuery,
): Promise<readonly string[]> {
  const table = await source.table(collection)
  if (!table) return []
  const { id } = source.naming
  const find = await byId(table, id)
  const { items } = await source.select(collection, query)
  const pace = new Pace()
  const keys: string[] = []
  for (const row of items) {
    const key = keyOfRow(row, id)
    if (key !== undefined && find(key)?.row === row) keys.push(key)
    if (pace.isDue) await pace.turn()
  }
  return keys
}

function keyOfRow(row: Row, id: string): string | undefined {
  const value = isRow(row) ? ownField(row, id) : undefined
  return value === undefined ? undefined : keyOf(value)
}
