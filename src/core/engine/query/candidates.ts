import { numbersIn, widest } from '../../kernel/catalogue/comparisons.ts'
import { OPERATORS } from '../../kernel/catalogue/operators.ts'
import { fold, isKey } from '../../kernel/catalogue/text.ts'
import {
  CROWDED,
  entryColumn,
  foldedColumn,
  keysFor,
  LISTED,
  UNORDERED,
  valueColumn,
} from '../data/columns.ts'
import { AFTER, BEFORE, type Index, indexOf, type Range, rangeOf } from '../data/index.ts'
import type { Table } from '../data/table.ts'
import type { Condition, IndexUse, Where } from '../types.ts'
import { startsIn } from './like.ts'

export interface Candidates {
  readonly size: number
  readonly settled: readonly Where[]
  readonly uses: readonly IndexUse[]
  readonly run?: Run
  ranks(): readonly number[]
}

interface Run extends Range {
  readonly index: Index
  /** All have the same key, so they are in row order. */
  readonly isOneKey: boolean
}

export async function byEquality(
  table: Table,
  condition: Condition,
  id: string,
): Promise<Candidates | undefined> {
  const { path, op, values } = condition
  if (!values.every(isKey)) return undefined
  const index = await table.derive(indexOf(valueColumn(path)))
  const isByEntry = OPERATORS[op].takes === 'list' && valuesIn(index).hasLists
  const keys = isByEntry ? await table.derive(indexOf(entryColumn(path))) : index
  const { crowded } = valuesIn(keys)
  // Useless if many rows must be tested anyway.
  if ((crowded.end - crowded.start) * 4 > table.size) return undefined
  const isExact = crowded.start === crowded.end
  const ranges: Range[] = isExact ? [] : [crowded]
  for (const value of new Set(values)) {
    for (const key of keysFor(value)) {
      const range = rangeOf(keys, key)
      if (range.start < range.end) ranges.push(range)
    }
  }
  const kind = isByEntry ? 'entries' : path === id ? 'id' : 'equality'
  return inRanges(keys, ranges, isExact ? [condition] : [], { kind, path }, true)
}

export async function byBounds(
  table: Table,
  path: string,
  bounds: readonly Condition[],
): Promise<Candidates | undefined> {
  const index = await table.derive(indexOf(valueColumn(path)))
  const range = rangeWithin(index, bounds)
  return range && inRanges(index, [range], bounds, { kind: 'sorted', path })
}

/** Several pairs of `between`. */
export async function byPairs(table: Table, condition: Condition): Promise<Candidates | undefined> {
  const { path, op, values } = condition
  const index = await table.derive(indexOf(valueColumn(path)))
  const ranges: Range[] = []
  for (let at = 0; at < values.length; at += 2) {
    const range = rangeWithin(index, [{ op, values: values.slice(at, at + 2) }])
    if (!range) return undefined
    ranges.push(range)
  }
  return inRanges(index, ranges, [condition], { kind: 'sorted', path })
}

export async function byPrefixes(table: Table, condition: Condition): Promise<Candidates | undefined> {
  const { path, op, values } = condition
  const starts = op === 'like' ? startsIn(values) : values
  if (!starts) return undefined
  const index = await table.derive(indexOf(foldedColumn(path)))
  const ranges: Range[] = []
  for (const start of starts) {
    const range = startingWith(index, start)
    if (!range) return undefined
    ranges.push(range)
  }
  // The index also has K of the Kelvin sign under `k`, and more than `^k$` asks for.
  return inRanges(index, ranges, op === 'like' ? [] : [condition], { kind: 'prefix', path })
}

export function union(
  parts: readonly Candidates[],
  settled: readonly Where[],
  uses: readonly IndexUse[] = parts.flatMap((part) => part.uses),
): Candidates {
  let ranks: readonly number[] | undefined
  return {
    size: parts.reduce((sum, part) => sum + part.size, 0),
    settled,
    uses,
    ranks() {
      ranks ??= ascending(new Set(parts.flatMap((part) => part.ranks())))
      return ranks
    },
  }
}

function inRanges(
  index: Index,
  ranges: readonly Range[],
  settled: readonly Where[],
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
  const { start, end } = only ?? NOTHING
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

interface Values {
  /** Without null and undefined; mixed if the column has no order. */
  readonly type: 'number' | 'string' | 'boolean' | 'none' | 'mixed'
  readonly end: number
  readonly hasLists: boolean
  /** Rows that may have any value. */
  readonly crowded: Range
}

const valuesByIndex = new WeakMap<Index, Values>()

export function valuesIn(index: Index): Values {
  const values = valuesByIndex.get(index)
  if (values) return values
  const strings = index.positionOf('', BEFORE)
  const booleans = index.positionOf(false, BEFORE)
  const nulls = index.positionOf(null, BEFORE)
  const types: Values['type'][] = []
  if (strings > 0) types.push('number')
  if (booleans > strings) types.push('string')
  if (nulls > booleans) types.push('boolean')
  const isMixed = types.length > 1 || count(index, UNORDERED) > 0
  const made: Values = {
    type: isMixed ? 'mixed' : (types[0] ?? 'none'),
    end: nulls,
    hasLists: count(index, LISTED) > 0,
    crowded: rangeOf(index, CROWDED),
  }
  valuesByIndex.set(index, made)
  return made
}

function rangeWithin(index: Index, bounds: readonly Pick<Condition, 'op' | 'values'>[]): Range | undefined {
  const { type, ...whole } = valuesIn(index)
  if (type === 'mixed' || type === 'boolean') return undefined
  let start = 0
  let { end } = whole
  for (const { op, values } of bounds) {
    const { index: bounds, takes } = OPERATORS[op]
    if (typeof bounds !== 'object') return undefined
    const bound = (side: 'low' | 'high') => {
      const own = takes === 'pair' ? [values[side === 'low' ? 0 : 1] ?? ''] : values
      return type === 'string' ? widest(own, side) : widest(numbersIn(own), side)
    }
    if (bounds.low) {
      const low = bound('low')
      if (low === undefined) return NOTHING
      start = Math.max(start, index.positionOf(low, bounds.low === 'excluded' ? AFTER : BEFORE))
    }
    if (bounds.high) {
      const high = bound('high')
      if (high === undefined) return NOTHING
      end = Math.min(end, index.positionOf(high, bounds.high === 'excluded' ? BEFORE : AFTER))
    }
  }
  return { start, end: Math.max(start, end) }
}

const NOTHING: Range = { start: 0, end: 0 }

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
