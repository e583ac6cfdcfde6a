import { Pace } from '../../work/pace.ts'
import { byId, fieldText } from '../data/lookup.ts'
import { hasFieldIn, type Source } from '../data/source.ts'
import { Table } from '../data/table.ts'
import type { Decided } from '../query/decide.ts'
import { frame } from '../query/page.ts'
import { decideFor, type SelectOptions, select } from '../select/select.ts'
import type { Condition, ListQuery, Selection, SortKey, Where, Word } from '../types.ts'
import { findParent, mayUseParents, type Parent, parentsOf, pathsTo } from './parent-fields.ts'
import type { Relation } from './relation.ts'
import { takeByParents } from './sort-by-parents.ts'

/** The rows of a collection that match a query, which may be about fields of the parents that it attaches. */
export async function selectIn(
  source: Source,
  collection: string,
  asked: ListQuery,
  options?: SelectOptions,
): Promise<Selection> {
  const table = (await source.table(collection)) ?? Table.of([])
  if (!mayUseParents(asked)) return select(table, asked, source.naming, options)
  const parents = await parentsOf(source, collection, asked)
  const { query, ignored } = await decideByParents(source, collection, asked, parents)
  const sorting = await sortingParents(source, collection, query.sort, parents)
  const told = ignored.length > 0 && { ignored }
  if (sorting.length === 0) return { ...(await select(table, query, source.naming, options)), ...told }
  const all: ListQuery = { ...query, sort: [], window: { kind: 'all' } }
  const { items } = await select(table, all, source.naming, options)
  const { start, end, head } = frame(items.length, query.window)
  const sorted = await takeByParents(source, items, query.sort, sorting, { start, end })
  return { items: sorted, ...head, ...told }
}

/** What a query means for the rows of a collection: conditions on parents have become conditions on foreign keys. */
export async function decideIn(source: Source, collection: string, asked: ListQuery): Promise<Decided> {
  if (mayUseParents(asked)) {
    return decideByParents(source, collection, asked, await parentsOf(source, collection, asked))
  }
  return decideFor((await source.table(collection)) ?? Table.of([]), asked, source.naming)
}

async function decideByParents(
  source: Source,
  collection: string,
  asked: ListQuery,
  parents: readonly Parent[],
): Promise<Decided> {
  const filtered = await filterByParents(source, collection, asked, parents)
  // Without relations it is a query like any other.
  return decideIn(source, collection, { ...filtered, embed: [], expand: [] })
}

/** The parents that are sorted by: unless rows have such a path themselves. */
async function sortingParents(
  source: Source,
  collection: string,
  sort: readonly SortKey[],
  parents: readonly Parent[],
): Promise<readonly Parent[]> {
  const used = new Set<Parent>()
  for (const { path } of sort) {
    const found = findParent(parents, path)
    if (found && !(await hasFieldIn(source, collection, path))) used.add(found.parent)
  }
  return [...used]
}

/** A condition such as `company.name` becomes one on `company_id`: those parents are found first. */
async function filterByParents(
  source: Source,
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
  source: Source,
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

async function replaceCondition(
  source: Source,
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
  const decided = await decideIn(source, relation.collection, query)
  if (decided.query.where.length === 0) return undefined
  const values = await keysOf(source, relation.collection, decided.query)
  const passing: Condition = { path: key, op: 'eq', values, required: true }
  return isNegated ? { not: passing } : passing
}

async function toParent(
  source: Source,
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
async function keysOf(source: Source, collection: string, query: ListQuery): Promise<readonly string[]> {
  const table = await source.table(collection)
  if (!table) return []
  const { id } = source.naming
  const find = await byId(table, id)
  const { items } = await selectIn(source, collection, query)
  const pace = new Pace()
  const keys: string[] = []
  for (const row of items) {
    const key = fieldText(row, id)
    if (key !== undefined && find(key)?.row === row) keys.push(key)
    if (pace.isDue) await pace.turn()
  }
  return keys
}
