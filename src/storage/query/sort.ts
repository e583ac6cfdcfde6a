import { STRETCH, type Work } from '../../work/in-slices.ts'
import type { Row, SortKey } from '../types.ts'
import { compilePath, readPath } from './path.ts'
import { sortPlaces } from './sort-places.ts'
import { isLongList, longText, toText } from './value/text.ts'

/** Up to this many rows are sorted natively in one go: exactly like lodash, even if comparisons are not transitive. */
const RUN = 2048

/**
 * Sorts rows by the keys like lodash `orderBy`: null, undefined and NaN last, stable.
 * @param run number of rows sorted in one go
 */
export function* sortRows(
  rows: readonly Row[],
  keys: readonly (SortKey | SortColumn)[],
  run = RUN,
): Work<readonly Row[]> {
  if (keys.length === 0 || rows.length < 2) return rows
  const given = rows.slice()
  const columns: Compare[] = []
  for (const key of keys) {
    const values = 'values' in key ? key.values : yield* valuesAt(given, key.path)
    columns.push(toColumn(values, key.order))
  }
  const places = yield* sortPlaces(given.length, byColumns(columns), run)
  const sorted: Row[] = []
  for (let at = 0; at < places.length; at++) {
    const row = given[places[at] ?? 0]
    if (row !== undefined) sorted.push(row)
  }
  return sorted
}

/** Values to sort by that rows do not have themselves: one for each row, each of a plain type. */
export interface SortColumn {
  readonly order: SortKey['order']
  readonly values: readonly unknown[]
}

type Compare = (a: number, b: number) => number

/** Breaks ties by index instead of relying on a stable sort: comparisons of mixed types are not transitive. */
function byColumns(columns: readonly Compare[]): Compare {
  const [first] = columns
  if (columns.length === 1 && first !== undefined) return (a, b) => first(a, b) || a - b
  return (a, b) => {
    for (let at = 0; at < columns.length; at++) {
      const result = columns[at]?.(a, b) ?? 0
      if (result !== 0) return result
    }
    return a - b
  }
}

/** Places of equal values are equal; the others are in the order in which rows with these values would stand. */
export function* rankValues(given: readonly unknown[]): Work<readonly number[]> {
  const compare = toColumn(yield* toComparables(given.length, (at) => given[at]), 'asc')
  const ranks: number[] = []
  let [rank, before] = [0, 0]
  for (const place of Array.from(yield* sortPlaces(given.length, byColumns([compare]), RUN))) {
    if (ranks.length > 0 && compare(before, place) !== 0) rank++
    ranks[place] = rank
    before = place
  }
  return ranks
}

function valuesAt(rows: readonly Row[], text: string): Work<readonly unknown[]> {
  const path = compilePath(text)
  return toComparables(rows.length, (at) => readPath(rows[at], path))
}

/** Reads each value once. */
function* toComparables(count: number, read: (at: number) => unknown): Work<readonly unknown[]> {
  const values: unknown[] = []
  for (let at = 0; at < count; at++) {
    if (at > 0 && at % STRETCH === 0) yield
    const value = read(at)
    values.push(isLongList(value) ? yield* longText(value) : comparable(value))
  }
  return values
}

/** Compares by the simplest rule that fits all values. */
function toColumn(values: readonly unknown[], order: SortKey['order']): Compare {
  const sign = order === 'desc' ? -1 : 1
  if (values.every(isNumber)) {
    const numbers = Float64Array.from(values)
    return (a, b) => sign * ((numbers[a] ?? 0) - (numbers[b] ?? 0))
  }
  const compare = values.every((value) => rankOf(value) === 0) ? compareValues : compareMixed
  return (a, b) => sign * compare(values[a], values[b])
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Lists and objects compare by their text, computed once here instead of on each comparison. */
function comparable(value: unknown): unknown {
  const isOpaque = typeof value === 'symbol' || (typeof value === 'object' && value !== null)
  return isOpaque && !(value instanceof Date) ? toText(value) : value
}

function compareMixed(a: unknown, b: unknown): number {
  return rankOf(a) - rankOf(b) || compareValues(a, b)
}

/** JavaScript's comparison of any types: equal if they cannot be compared. */
function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [a as string, b as string]
  if (left < right) return -1
  return left > right ? 1 : 0
}

function rankOf(value: unknown): number {
  if (value === null) return 1
  if (value === undefined) return 2
  return Number.isNaN(value) ? 3 : 0
}
