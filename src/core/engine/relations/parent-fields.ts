import { isObject } from '../../kernel/json/values.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import { hasFieldIn, type TableSource } from '../data/database.ts'
import type { Range } from '../data/index.ts'
import { byId, fieldText } from '../data/lookup.ts'
import { idOf } from '../id-of.ts'
import type { CursorKey } from '../query/cursor-page.ts'
import { compilePath, readPath } from '../query/path.ts'
import { rankValues, type SortColumn, sortRows } from '../query/sort.ts'
import type { ListQuery, Row, SortKey } from '../types.ts'
import { everyLeaf } from '../where.ts'
import { type Relation, resolveRelations } from './resolve-relations.ts'

/** A relation to a parent whose fields filters and sorts may use. */
export interface ParentRelation {
  readonly relation: Relation
  readonly key: string
}

/** Whether a query attaches relations and has a dotted path. */
export function mayUseParents(query: ListQuery): boolean {
  if (query.embed.length + query.expand.length === 0) return false
  const { words = [] } = query
  const sort = [...query.sort, ...words.flatMap(({ means }) => means.sort ?? [])]
  return [...everyLeaf(query), ...sort].some(({ path }) => path.includes('.'))
}

/** If any row has a field with the name of a parent, paths mean that field instead. */
export async function parentsOf(
  source: TableSource,
  collection: string,
  query: ListQuery,
): Promise<readonly ParentRelation[]> {
  return usableParents(source, collection, await resolveRelations(source, collection, query))
}

async function usableParents(
  source: TableSource,
  collection: string,
  relations: readonly Relation[],
): Promise<readonly ParentRelation[]> {
  const parents: ParentRelation[] = []
  for (const relation of relations) {
    const { name, join } = relation
    // A filter would read a key with dots or brackets as a path.
    if (join?.by !== 'id' || /[.[]/.test(join.own) || (await hasFieldIn(source, collection, name))) continue
    parents.push({ relation, key: join.own })
  }
  return parents
}

export interface ParentPath {
  readonly parent: ParentRelation
  readonly rest: string
}

export function findParent(parents: readonly ParentRelation[], path: string): ParentPath | undefined {
  const parent = parents.find(({ relation }) => path.startsWith(`${relation.name}.`))
  return parent && { parent, rest: path.slice(parent.relation.name.length + 1) }
}

export function pathsTo(relations: readonly Relation[]): readonly string[] {
  return relations.flatMap(({ name, deeper }) => [name, ...pathsTo(deeper).map((path) => `${name}.${path}`)])
}

interface RankColumn extends SortColumn {
  readonly values: readonly number[]
}

/** Sorted by own fields and those of parents. `end` is exclusive. */
export async function takeByParents(
  source: TableSource,
  rows: readonly Row[],
  keys: readonly SortKey[],
  parents: readonly ParentRelation[],
  { start, end }: Range,
): Promise<readonly Row[]> {
  const columns: (SortKey | RankColumn)[] = []
  for (const { path, order } of keys) {
    const parentPath = findParent(parents, path)
    columns.push(parentPath ? { order, values: await ranksOf(source, rows, parentPath) } : { path, order })
  }
  const [first, ...ties] = columns
  if (!first || !('values' in first)) return (await sortRows(rows, columns)).slice(start, end)
  return takeByRank(rows, first, ties, { start, end })
}

/** Numbers rows in the order of what their parents have at a path: sorts few parents instead of many rows. */
async function ranksOf(
  source: TableSource,
  rows: readonly Row[],
  path: ParentPath,
): Promise<readonly number[]> {
  const { groups, parents } = await groupByParent(source, rows, path.parent)
  const ranks = await rankValues(await valuesAt(source, parents, path))
  const ranked: number[] = []
  for (let at = 0; at < groups.length; at++) ranked.push(ranks[groups[at] ?? 0] ?? 0)
  return ranked
}

/** A field to sort by, with the values of each row's parent if it is one of that. */
export async function keyByParent(
  source: TableSource,
  rows: readonly Row[],
  key: SortKey,
  sorting: readonly ParentRelation[],
): Promise<CursorKey> {
  const path = findParent(sorting, key.path)
  if (!path) return key
  const { groups, parents } = await groupByParent(source, rows, path.parent)
  const values = await valuesAt(source, parents, path)
  return { ...key, valueAt: (position) => values[groups[position] ?? 0] }
}

async function valuesAt(
  source: TableSource,
  rows: readonly Row[],
  path: ParentPath,
): Promise<readonly unknown[]> {
  const { collection, deeper } = path.parent.relation
  const next = findParent(await usableParents(source, collection, deeper), path.rest)
  if (!next) {
    const own = compilePath(path.rest)
    return rows.map((row) => readPath(row, own))
  }
  const { groups, parents } = await groupByParent(source, rows, next.parent)
  const values = await valuesAt(source, parents, next)
  return rows.map((_, at) => values[groups[at] ?? 0])
}

const NO_PARENT: Row = {}

async function groupByParent(
  source: TableSource,
  rows: readonly Row[],
  { relation, key }: ParentRelation,
): Promise<{ readonly groups: Uint32Array; readonly parents: readonly Row[] }> {
  const pace = new TimeSlice()
  const table = await source.table(relation.collection)
  const find = table && (await byId(table, idOf(relation.collection, source.naming)))
  const groups = new Uint32Array(rows.length)
  const groupOf = new Map<unknown, number>()
  const parents: Row[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    const value = isObject(row) && Object.hasOwn(row, key) ? (row[key] ?? undefined) : undefined
    const group = groupOf.get(value) ?? parents.length
    groups[at] = group
    if (group < parents.length) continue
    groupOf.set(value, group)
    const id = fieldText(row, key)
    const parent = id === undefined ? undefined : find?.(id)?.row
    parents.push(isObject(parent) ? parent : NO_PARENT)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return { groups, parents }
}

/** Rows of one rank keep their order, or are sorted by further keys where they are in the window. */
async function takeByRank(
  rows: readonly Row[],
  { values: ranks, order }: RankColumn,
  ties: readonly (SortKey | RankColumn)[],
  { start, end }: Range,
): Promise<readonly Row[]> {
  const counts = new Uint32Array(rows.length)
  for (const rank of ranks) counts[rank] = (counts[rank] ?? 0) + 1
  /** The rows of each rank that is in the window, and how many come before them. */
  const groups = new Map<number, { readonly before: number; readonly positions: number[] }>()
  const isDown = order === 'desc'
  for (let at = 0, before = 0; at < rows.length && before < end; at++) {
    const rank = isDown ? rows.length - 1 - at : at
    const after = before + (counts[rank] ?? 0)
    if (after > Math.max(before, start)) groups.set(rank, { before, positions: [] })
    before = after
  }
  for (let at = 0; at < ranks.length; at++) groups.get(ranks[at] ?? 0)?.positions.push(at)

  const pace = new TimeSlice()
  const taken: Row[] = []
  for (const { before, positions } of groups.values()) {
    const tied = ties.map((tie) =>
      'values' in tie ? { ...tie, values: positions.map((at) => tie.values[at]) } : tie,
    )
    const group = positions.map((at) => rows[at] as Row)
    // Apart from other ranks: mixed values compare in circles, and pages must fit together.
    const sorted = await sortRows(group, tied)
    for (const row of sorted.slice(Math.max(0, start - before), end - before)) taken.push(row)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return taken
}
