import { Pace } from '../../util/pace.ts'
import type { Source } from '../data/database.ts'
import { isRow } from '../is-row.ts'
import { compilePath, readPath } from '../query/path.ts'
import { rankValues, type SortColumn, sortRows } from '../query/sort.ts'
import type { Row, SortKey } from '../types.ts'
import { RelatedSearch } from './find-columns.ts'
import { findParent, type Parent, type ParentPath, usableParents } from './parent-fields.ts'

/** The rows from `start` to `end` (exclusive), sorted by own fields and those of parents, which a row may not have. */
export async function takeByParents(
  source: Source,
  rows: readonly Row[],
  keys: readonly SortKey[],
  parents: readonly Parent[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<readonly Row[]> {
  const columns: (SortKey | SortColumn)[] = []
  for (const { path, order } of keys) {
    const found = findParent(parents, path)
    columns.push(found ? { order, values: await ranksOf(source, rows, found) } : { path, order })
  }
  const [first, ...ties] = columns
  if (!first || !('values' in first)) return (await sortRows(rows, columns)).slice(start, end)
  return await takeByRank(rows, first, ties, start, end)
}

/** A number for each row, in the order of what its parent has at a path: few parents are sorted, not many rows. */
async function ranksOf(source: Source, rows: readonly Row[], path: ParentPath): Promise<readonly number[]> {
  const { groups, found } = await groupByParent(source, rows, path.parent)
  const ranks = await rankValues(await valuesAt(source, found, path))
  const pace = new Pace()
  const ranked = new Array<number>(rows.length)
  for (let at = 0; at < rows.length; at++) {
    ranked[at] = ranks[groups[at] ?? 0] ?? 0
    if (pace.isDue) await pace.turn()
  }
  return ranked
}

async function valuesAt(source: Source, rows: readonly Row[], path: ParentPath): Promise<readonly unknown[]> {
  const { collection, deeper } = path.parent.relation
  const next = findParent(await usableParents(source, collection, deeper), path.rest)
  if (!next) {
    const own = compilePath(path.rest)
    return rows.map((row) => readPath(row, own))
  }
  const { groups, found } = await groupByParent(source, rows, next.parent)
  const values = await valuesAt(source, found, next)
  return rows.map((_, at) => values[groups[at] ?? 0])
}

const NOBODY: Row = {}

/** The group of each row, and the parent of each group. */
async function groupByParent(
  source: Source,
  rows: readonly Row[],
  { relation, key }: Parent,
): Promise<{ readonly groups: Uint32Array; readonly found: readonly Row[] }> {
  const pace = new Pace()
  const groups = new Uint32Array(rows.length)
  const known = new Map<unknown, number>()
  const firsts: Row[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    const value = isRow(row) && Object.hasOwn(row, key) ? (row[key] ?? undefined) : undefined
    const group = known.get(value) ?? firsts.length
    groups[at] = group
    if (group < firsts.length) continue
    known.set(value, group)
    firsts.push(isRow(row) ? row : NOBODY)
    if (pace.isDue) await pace.turn()
  }
  const alone = { ...relation, deeper: [], isBounded: false }
  const [column] = await new RelatedSearch(source).columnsOf(firsts, [alone])
  const parents = column?.found ?? []
  return { groups, found: parents.map((parent) => (isRow(parent) ? parent : NOBODY)) }
}

/** Rows of one rank stand together as they came, or by further keys: those are looked at only where they matter. */
async function takeByRank(
  rows: readonly Row[],
  { values, order }: SortColumn,
  ties: readonly (SortKey | SortColumn)[],
  start: number,
  end: number,
): Promise<readonly Row[]> {
  const pace = new Pace()
  const buckets: number[][] = []
  for (let at = 0; at < rows.length; at++) {
    const rank = Number(values[at])
    const bucket = buckets[rank]
    if (bucket) bucket.push(at)
    else buckets[rank] = [at]
    if (pace.isDue) await pace.turn()
  }
  const taken: Row[] = []
  let passed = 0
  for (const places of order === 'asc' ? buckets : buckets.reverse()) {
    const from = passed
    passed += places.length
    if (passed <= start) continue
    if (from >= end) break
    const tied = ties.map((tie) =>
      'values' in tie ? { ...tie, values: places.map((at) => tie.values[at]) } : tie,
    )
    const bucket = places.map((at) => rows[at] as Row)
    const sorted = await sortRows(bucket, tied)
    for (const row of sorted.slice(Math.max(0, start - from), end - from)) taken.push(row)
    if (pace.isDue) await pace.turn()
  }
  return taken
}
