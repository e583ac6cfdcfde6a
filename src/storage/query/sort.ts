import { Pace } from '../../work/pace.ts'
import type { Row, SortKey } from '../types.ts'
import { compilePath, readPath } from './path.ts'
import { sortPlaces } from './sort-places.ts'
import { toText } from './value/text.ts'

/** Up to this many rows are sorted natively in one go: exactly like lodash, even if comparisons are not transitive. */
const RUN = 2048

/**
 * Sorts rows by the keys like lodash `orderBy`: null, undefined and NaN last, stable.
 * @param run number of rows sorted in one go
 */
export async function sortRows(
  rows: readonly Row[],
  keys: readonly (SortKey | SortColumn)[],
  run = RUN,
): Promise<readonly Row[]> {
  if (keys.length === 0 || rows.length < 2) return rows
  const pace = new Pace()
  const columns: Compare[] = []
  for (const key of keys) {
    const values = 'values' in key ? key.values : await valuesAt(rows, key.path, pace)
    columns.push(toColumn(values, key.order))
  }
  const places = await sortPlaces(rows.length, byColumns(columns), run, pace)
  return Array.from(places, (place) => rows[place] as Row)
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
    for (const compare of columns) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return a - b
  }
}

/** Places of equal values are equal; the others are in the order in which rows with these values would stand. */
export async function rankValues(given: readonly unknown[]): Promise<readonly number[]> {
  const pace = new Pace()
  const compare = toColumn(given.map(comparable), 'asc')
  const ranks: number[] = []
  let [rank, before] = [0, 0]
  for (const place of Array.from(await sortPlaces(given.length, byColumns([compare]), RUN, pace))) {
    if (ranks.length > 0 && compare(before, place) !== 0) rank++
    ranks[place] = rank
    before = place
  }
  return ranks
}

/** Reads each value once. */
async function valuesAt(rows: readonly Row[], text: string, pace: Pace): Promise<readonly unknown[]> {
  const path = compilePath(text)
  const values: unknown[] = []
  for (const row of rows) {
    values.push(comparable(readPath(row, path)))
    if (pace.isDue) await pace.turn()
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
