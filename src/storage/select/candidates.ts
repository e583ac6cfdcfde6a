import {
  CROWDED,
  entryColumn,
  foldedColumn,
  keysFor,
  LISTED,
  UNORDERED,
  valueColumn,
} from '../data/columns.ts'
import { AFTER, BEFORE, type Column, type Index, indexOf, type Range, rangeOf } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { Compiled, CompiledCondition } from '../query/compile-where.ts'
import { isKey } from '../query/key-of.ts'
import { widest } from '../query/value/comparisons.ts'
import { fold } from '../query/value/fold.ts'
import type { Condition, IndexUse } from '../types.ts'

/** Rows that an index found: all that can pass some conditions. */
export interface Candidates {
  readonly size: number
  /** Which conditions all of them pass. */
  readonly settled: readonly Compiled[]
  readonly uses: readonly IndexUse[]
  /** Where they are in an index, if they are together there. */
  readonly run?: Run
  /** In ascending order. */
  ranks(): readonly number[]
}

/** Neighbors in an index. */
export interface Run extends Range {
  readonly index: Index
  /** Whether they all have the same key, and so are in the order of the rows. */
  readonly isOneKey: boolean
}

export function indexIn(table: Table, column: Column): Index | Promise<Index> {
  return table.derive(indexOf(column))
}

/** What can be found by `eq` and `in`, each of which has a list of values. */
export async function byEquality(
  table: Table,
  condition: CompiledCondition,
  kind: IndexUse['kind'],
): Promise<Candidates | undefined> {
  const { path, op, values } = condition
  if (!values.every(isKey)) return undefined
  const index = await indexIn(table, valueColumn(path))
  const isByEntry = op === 'in' && count(index, LISTED) > 0
  const asked = isByEntry ? await indexIn(table, entryColumn(path)) : index
  const crowded = rangeOf(asked, CROWDED)
  // If many rows must be tested anyway, an index is useless.
  if ((crowded.end - crowded.start) * 4 > table.size) return undefined
  const keys = [...new Set(values)].flatMap(keysFor)
  const ranges = [...keys.map((key) => rangeOf(asked, key)), crowded].filter(({ start, end }) => start < end)
  const isExact = crowded.start === crowded.end
  return inRanges(
    asked,
    ranges,
    isExact ? [condition] : [],
    { kind: isByEntry ? 'entries' : kind, path },
    true,
  )
}

/** What bounds on one column leave, all of which must hold. */
export async function byBounds(
  table: Table,
  path: string,
  bounds: readonly CompiledCondition[],
): Promise<Candidates | undefined> {
  const index = await indexIn(table, valueColumn(path))
  const range = rangeWithin(index, bounds)
  return range && inRanges(index, [range], bounds, { kind: 'sorted', path })
}

/** Several pairs of `between`, or several beginnings for `startsWith`. */
export async function byAlternatives(
  table: Table,
  condition: CompiledCondition,
): Promise<Candidates | undefined> {
  const { path, op, values } = condition
  const isBetween = op === 'between'
  const index = await indexIn(table, isBetween ? valueColumn(path) : foldedColumn(path))
  const ranges: Range[] = []
  for (let at = 0; at < values.length; at += isBetween ? 2 : 1) {
    const range = isBetween
      ? rangeWithin(index, [{ op, values: values.slice(at, at + 2) }])
      : startingWith(index, values[at] ?? '')
    if (!range) return undefined
    ranges.push(range)
  }
  return inRanges(index, ranges, [condition], { kind: isBetween ? 'sorted' : 'prefix', path })
}

/** What is found in any of these. */
export function union(
  parts: readonly Candidates[],
  settled: readonly Compiled[],
  uses: readonly IndexUse[] = parts.flatMap((part) => part.uses),
): Candidates {
  let ranks: readonly number[] | undefined
  const gather = () => {
    ranks ??= ascending(new Set(parts.flatMap((part) => part.ranks())))
    return ranks
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  return {
    get size() {
      return ranks?.length ?? size
    },
    settled,
    uses,
    ranks: gather,
  }
}

/** @param isByKey whether each range is one key */
function inRanges(
  index: Index,
  ranges: readonly Range[],
  settled: readonly Compiled[],
  use: IndexUse,
  isByKey = false,
): Candidates {
  const [only] = ranges
  if (ranges.length > 1) {
    return union(
      ranges.map((range) => inRanges(index, [range], [], use, isByKey)),
      settled,
      [use],
    )
  }
  const { start, end } = only ?? { start: 0, end: 0 }
  const ranks = () => (isByKey ? index.ranks(start, end) : ascending(index.ranks(start, end)))
  const run = { index, start, end, isOneKey: isByKey }
  return { size: end - start, settled, uses: [use], run, ranks }
}

function ascending(ranks: Iterable<number>): readonly number[] {
  return Array.from(Float64Array.from(ranks).sort())
}

function count(index: Index, key: Parameters<typeof rangeOf>[1]): number {
  const { start, end } = rangeOf(index, key)
  return end - start
}

/** The type of all values of a column, apart from null and undefined; undefined if it has no order. */
export function orderedType(index: Index): 'number' | 'string' | 'boolean' | 'none' | undefined {
  if (count(index, UNORDERED) > 0) return undefined
  const ends = [index.positionOf('', BEFORE), index.positionOf(false, BEFORE), index.positionOf(null, BEFORE)]
  const [numbers = 0, strings = 0, booleans = 0] = ends
  const types = [
    ...(numbers > 0 ? (['number'] as const) : []),
    ...(strings > numbers ? (['string'] as const) : []),
    ...(booleans > strings ? (['boolean'] as const) : []),
  ]
  return types.length > 1 ? undefined : (types[0] ?? 'none')
}

/** The range of values within all bounds; undefined if the index cannot tell. */
function rangeWithin(index: Index, bounds: readonly Pick<Condition, 'op' | 'values'>[]): Range | undefined {
  const type = orderedType(index)
  if (type === undefined || type === 'boolean') return undefined
  let start = 0
  let end = index.positionOf(null, BEFORE)
  for (const { side, isIncluded, values } of bounds.flatMap(endsOf)) {
    const bound = type === 'string' ? widest(values, side) : widest(numbersOf(values), side)
    if (bound === undefined) return { start: 0, end: 0 }
    const isBelow = side === 'low' ? isIncluded : !isIncluded
    const position = index.positionOf(bound, isBelow ? BEFORE : AFTER)
    if (side === 'low') start = Math.max(start, position)
    else end = Math.min(end, position)
  }
  return { start, end: Math.max(start, end) }
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map(Number).filter((number) => !Number.isNaN(number))
}

interface Bound {
  readonly side: 'low' | 'high'
  readonly isIncluded: boolean
  readonly values: readonly string[]
}

/** The ends of what a condition leaves. Each may have several values, of which the widest counts. */
function endsOf({ op, values }: Pick<Condition, 'op' | 'values'>): readonly Bound[] {
  if (op === 'between') {
    const [low = '', high = ''] = values
    return [
      { side: 'low', isIncluded: true, values: [low] },
      { side: 'high', isIncluded: true, values: [high] },
    ]
  }
  const side = op === 'gt' || op === 'gte' ? 'low' : 'high'
  return [{ side, isIncluded: op === 'gte' || op === 'lte', values }]
}

/** The range of texts with this beginning; undefined if the index cannot tell. */
function startingWith(index: Index, text: string): Range | undefined {
  if (count(index, UNORDERED) > 0) return undefined
  const beginning = fold(text)
  const start = index.positionOf(beginning, BEFORE)
  let [low, high] = [start, index.positionOf(false, BEFORE)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (String(index.itemAt(middle)).startsWith(beginning)) low = middle + 1
    else high = middle
  }
  return { start, end: low }
}
