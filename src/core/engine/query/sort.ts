import { toText } from '../../kernel/catalogue/text.ts'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Row, SortKey } from '../types.ts'
import { compilePath, readPath } from './path.ts'

/** Rows sorted natively in one go: exactly like lodash, even if comparisons are not transitive. */
const RUN = 2048

/** Like lodash `orderBy`: null, undefined and NaN last, stable. */
export async function sortRows(
  rows: readonly Row[],
  keys: readonly (SortKey | SortColumn)[],
  run = RUN,
): Promise<readonly Row[]> {
  if (keys.length === 0 || rows.length < 2) return rows
  const pace = new TimeSlice()
  const columns: Compare[] = []
  for (const key of keys) {
    const values = 'values' in key ? key.values : await valuesAt(rows, key.path, pace)
    columns.push(toColumn(values, key.order))
  }
  const positions = await sortPositions(rows.length, run, pace, byColumns(columns))
  return positions.map((position) => rows[position] as Row)
}

/** Values to sort by that are not in the rows: one per row, each a scalar. */
export interface SortColumn {
  readonly order: SortKey['order']
  readonly values: readonly unknown[]
}

type Compare = (a: number, b: number) => number

/** Breaks ties by index: comparisons of mixed types are not transitive, so a stable sort is not enough. */
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

/** Equal values have equal ranks. */
export async function rankValues(values: readonly unknown[]): Promise<readonly number[]> {
  const pace = new TimeSlice()
  const compare = toColumn(values.map(comparable), 'asc')
  const ranks: number[] = []
  let [rank, before] = [0, 0]
  for (const position of await sortPositions(values.length, RUN, pace, byColumns([compare]))) {
    if (ranks.length > 0 && compare(before, position) !== 0) rank++
    ranks[position] = rank
    before = position
  }
  return ranks
}

async function valuesAt(rows: readonly Row[], text: string, pace: TimeSlice): Promise<readonly unknown[]> {
  const path = compilePath(text)
  const values: unknown[] = []
  for (const row of rows) {
    values.push(comparable(readPath(row, path)))
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return values
}

function toColumn(values: readonly unknown[], order: SortKey['order']): Compare {
  const sign = order === 'desc' ? -1 : 1
  if (values.every(Number.isFinite)) {
    const numbers = Float64Array.from(values as readonly number[])
    return (a, b) => sign * ((numbers[a] ?? 0) - (numbers[b] ?? 0))
  }
  const compare = values.every((value) => rankOf(value) === 0) ? compareValues : compareMixed
  return (a, b) => sign * compare(values[a], values[b])
}

/** Lists and objects compare by their text, computed once. */
function comparable(value: unknown): unknown {
  const isOpaque = typeof value === 'symbol' || (typeof value === 'object' && value !== null)
  return isOpaque && !(value instanceof Date) ? toText(value) : value
}

function compareMixed(a: unknown, b: unknown): number {
  return rankOf(a) - rankOf(b) || compareValues(a, b)
}

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

/** Sorts the positions below `count`, with pauses: short runs natively, which are then merged. Stable. */
async function sortPositions(
  count: number,
  run: number,
  pace: TimeSlice,
  compare: Compare,
): Promise<readonly number[]> {
  let [sorted, spare]: [number[], number[]] = [[], []]
  for (let start = 0; start < count; start += run) {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
    const length = Math.min(run, count - start)
    const positions = Array.from({ length }, (_, at) => start + at)
    for (const position of positions.sort(compare)) sorted.push(position)
  }
  for (let size = run; size < count; size *= 2) {
    for (let start = 0; start < count; start += 2 * size) {
      const middle = Math.min(start + size, count)
      const end = Math.min(middle + size, count)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const isLeft = right === end || (left < middle && compare(sorted[left] ?? 0, sorted[right] ?? 0) <= 0)
        spare[at] = sorted[isLeft ? left++ : right++] ?? 0
        if (at % 256 === 0 && pace.isUsedUp) await pace.yieldToEventLoop()
      }
    }
    ;[sorted, spare] = [spare, sorted]
  }
  return sorted
}
