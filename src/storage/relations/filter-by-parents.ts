import { STRETCH, type Work } from '../../work/in-slices.ts'
import { groupRows } from '../index/lookup.ts'
import { isRow } from '../is-row.ts'
import { keyOf } from '../query/key-of.ts'
import type { Condition, ListQuery, Lookup, Row, Where, Word } from '../types.ts'
import { findParent, type Parent, pathsTo, type Selecting } from './parent-fields.ts'
import type { Relation } from './relation.ts'
import { ownField } from './relations.ts'

/**
 * The same query with conditions on fields of parents, such as `company.name`, replaced by what they come to: those
 * parents are found first, and then `company_id` has to be one of theirs.
 */
export function* filterByParents(
  source: Selecting,
  collection: string,
  query: ListQuery,
  parents: readonly Parent[],
): Work<ListQuery> {
  const replace = (where: readonly Where[]) => replaceAll(source, collection, where, parents)
  const words: Word[] = []
  for (const word of query.words ?? []) {
    const { where } = word.means
    words.push(where ? { ...word, means: { ...word.means, where: yield* replace(where) } } : word)
  }
  const where = yield* replace(query.where)
  return { ...query, where, ...(query.words && { words }) }
}

function* replaceAll(
  source: Selecting,
  collection: string,
  all: readonly Where[],
  parents: readonly Parent[],
): Work<readonly Where[]> {
  const replaced: Where[] = []
  const inside = (parts: readonly Where[]) => replaceAll(source, collection, parts, parents)
  for (const where of all) {
    if ('and' in where) replaced.push({ and: yield* inside(where.and) })
    else if ('or' in where) replaced.push({ or: yield* inside(where.or) })
    else if ('not' in where) for (const not of yield* inside([where.not])) replaced.push({ not })
    else replaced.push((yield* replaceCondition(source, collection, where, parents)) ?? where)
  }
  return replaced
}

/** Undefined if it is not about a parent, or its parents have no such field. */
function* replaceCondition(
  source: Selecting,
  collection: string,
  asked: Condition,
  parents: readonly Parent[],
): Work<Where | undefined> {
  const { parent } = findParent(parents, asked.path) ?? {}
  if (!parent || asked.required || (yield* source.hasField(collection, asked.path))) return undefined
  const { relation, key } = parent
  const test = yield* toParent(source, relation, asked)
  // Without a parent, a row has none of its fields: those that have one are found, and are not meant.
  const isNegated = test.op === 'null' && test.values[0] === 'true'
  const query: ListQuery = {
    where: [isNegated ? { ...test, values: ['false'] } : test],
    sort: [],
    window: { kind: 'all' },
    embed: pathsTo(relation.deeper),
    expand: [],
  }
  const decided = yield* source.deciding(relation.collection, query)
  if (decided.query.where.length === 0) return undefined
  const values = yield* keysOf(source, relation.collection, decided.query)
  const passing: Condition = { path: key, op: 'eq', values, required: true }
  return isNegated ? { not: passing } : passing
}

/** The condition as one on the parents themselves. */
function* toParent(source: Selecting, { name, collection }: Relation, asked: Condition): Work<Condition> {
  const within = ({ place: _, ...condition }: Condition): Condition => ({
    ...condition,
    path: condition.path.slice(name.length + 1),
  })
  const { orElse, ...own } = asked
  const field = within(own)
  if (!orElse) return field
  // An operator, unless parents have a field that is spelled so.
  return (yield* source.hasField(collection, field.path)) ? field : within(orElse)
}

/** The ids of the rows that a query finds. Of rows with the same id only the first can be anybody's parent. */
function* keysOf(source: Selecting, collection: string, query: ListQuery): Work<readonly string[]> {
  const { items } = yield* source.selecting(collection, query)
  const rows = items.slice()
  const { id } = source.naming
  const grouped: Lookup | undefined = source.isOwned
    ? undefined
    : yield* groupRows(source.rows(collection)?.slice() ?? [], id)
  const keys: string[] = []
  for (const [at, row] of rows.entries()) {
    if (at % STRETCH === STRETCH - 1) yield
    const key = keyOfRow(row, id)
    const first = key === undefined ? undefined : grouped ? grouped(key)[0] : source.find(collection, key)
    if (key !== undefined && first === row) keys.push(key)
  }
  return keys
}

function keyOfRow(row: Row, id: string): string | undefined {
  const value = isRow(row) ? ownField(row, id) : undefined
  return value === undefined ? undefined : keyOf(value)
}
