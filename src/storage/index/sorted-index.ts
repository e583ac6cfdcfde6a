import { inStretches, type Work } from '../../work/in-slices.ts'
import { compilePath, type Path, readPath } from '../query/path.ts'
import { widest } from '../query/value/comparisons.ts'
import { fold } from '../query/value/fold.ts'
import { somePath } from '../query/walk-path.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Condition, Row, SortKey } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import { RankList } from './rank-list.ts'
import type { RowChange, RowOrder } from './row-order.ts'
import { compareScalars, isMissing, isScalar, type Scalar } from './scalar.ts'
import { sortRanks } from './sort-ranks.ts'

/** Positions in a sorted index, end exclusive. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * The rows in the order of one column, for columns of numbers, strings or booleans: one type only, since mixed types
 * do not compare transitively. Null and then undefined come last; equal rows are in row order. Only ranks are
 * stored: values are read from the rows when needed.
 */
export class SortedIndex implements ColumnIndex {
  readonly #path: Path
  readonly #order: RowOrder
  readonly #isFolded: boolean
  #ranks = new RankList(new Uint32Array())
  /** Number of values, not counting null and undefined. */
  #values = 0
  #kind: string | undefined
  /** Rows for which filters, which look into arrays, see other values than sorting, which does not. */
  #crossings = 0

  /** @param isFolded whether to sort by the text of the values, ignoring case */
  constructor(path: string, order: RowOrder, isFolded = false) {
    this.#path = compilePath(path)
    this.#order = order
    this.#isFolded = isFolded
  }

  /** Builds the index of the current rows by rank. Undefined if the column cannot be indexed. */
  static *of(
    path: string,
    order: RowOrder,
    slots: readonly Row[],
    isFolded = false,
  ): Work<SortedIndex | undefined> {
    const index = new SortedIndex(path, order, isFolded)
    const ranks: number[] = []
    const values: unknown[] = []
    let isFit = true
    yield* inStretches(slots.length, (rank) => {
      const row = slots[rank]
      if (row === undefined || row === TOMBSTONE || !isFit) return
      const value = index.#read(row)
      isFit = index.#count(row, value, 1)
      ranks.push(rank)
      values.push(value)
    })
    if (!isFit) return undefined
    index.#ranks = new RankList(yield* sortRanks(ranks, values))
    return index
  }

  /** The type of its values; undefined if there are none. */
  get kind(): string | undefined {
    return this.#kind
  }

  get whole(): Interval {
    return { start: 0, end: this.#ranks.length }
  }

  insert(rank: number, row: Row): boolean {
    const value = this.#read(row)
    if (!this.#count(row, value, 1)) return false
    this.#ranks.insert(this.#placeOf(value, rank), rank)
    return true
  }

  /** Call while the order still has the row. */
  remove(rank: number, row: Row): void {
    const value = this.#read(row)
    this.#count(row, value, -1)
    this.#ranks.remove(this.#placeOf(value, rank))
  }

  /**
   * Values are read from the current rows: so all changed ranks are removed together before any of
   * them is inserted again.
   */
  catchUp(changes: readonly RowChange[]): boolean {
    const changed = new Set(changes.map(({ rank }) => rank))
    this.#ranks = new RankList(this.ranksIn(this.whole).filter((rank) => !changed.has(rank)))
    const fits = changes.map(({ kind, row }) => this.#count(row, this.#read(row), kind === 'insert' ? 1 : -1))
    if (!fits.every(Boolean)) return false
    for (const rank of changed) {
      const row = this.#order.slots[rank]
      if (row === undefined || row === TOMBSTONE) continue
      this.#ranks.insert(this.#placeOf(this.#read(row), rank), rank)
    }
    return true
  }

  /** The interval of values within all bounds, none of which has several pairs; undefined if the index cannot tell. */
  within(bounds: readonly Pick<Condition, 'op' | 'values'>[]): Interval | undefined {
    if (this.#crossings > 0 || this.#kind === 'boolean') return undefined
    let start = 0
    let end = this.#values
    for (const { end: side, isIncluded, values } of bounds.flatMap(boundsOf)) {
      const bound = this.#kind === 'string' ? widest(values, side) : widest(numbersOf(values), side)
      if (bound === undefined) return { start: 0, end: 0 }
      if (side === 'low') start = Math.max(start, this.#firstPast(bound, !isIncluded))
      else end = Math.min(end, this.#firstPast(bound, isIncluded))
    }
    return { start, end: Math.max(start, end) }
  }

  /** The interval of texts with this prefix, in a case-insensitive index; undefined if the index cannot tell. */
  startingWith(text: string): Interval | undefined {
    if (this.#crossings > 0) return undefined
    const beginning = fold(text)
    const start = this.#firstPast(beginning, false)
    const isPast = (place: number) => !String(this.#valueAt(place)).startsWith(beginning)
    return { start, end: firstWhere(start, this.#values, isPast) }
  }

  ranksIn({ start, end }: Interval): Uint32Array {
    return this.#ranks.slice(start, end)
  }

  /** The runs of equal rows in an interval that no run crosses. */
  *groups({ start, end }: Interval, order: SortKey['order']): Generator<Interval> {
    if (order === 'asc') {
      for (let place = start; place < end; ) {
        const group = { start: place, end: this.#reach(place, 1, end - 1) + 1 }
        yield group
        place = group.end
      }
    } else {
      for (let place = end - 1; place >= start; ) {
        const group = { start: this.#reach(place, -1, start), end: place + 1 }
        yield group
        place = group.start - 1
      }
    }
  }

  /** The run of equal rows around a position. */
  groupAt(place: number, { start, end }: Interval): Interval {
    return { start: this.#reach(place, -1, start), end: this.#reach(place, 1, end - 1) + 1 }
  }

  #count(row: Row, value: unknown, step: 1 | -1): boolean {
    const hasValue = !isMissing(value)
    // If it takes too long to find out whether filters find another value, assume they do.
    const isCrossing = this.#path.steps.length > 0 && somePath(row, this.#path, () => true) !== hasValue
    if (!hasValue) {
      if (isCrossing) this.#crossings += step
      return true
    }
    const kind = Number.isNaN(value) ? 'NaN' : typeof value
    if (kind !== 'number' && kind !== 'string' && kind !== 'boolean') return false
    if (typeof value === 'string' && value.length > LONGEST) return false
    this.#kind ??= kind
    this.#values += step
    if (isCrossing) this.#crossings += step
    return this.#kind === kind
  }

  #read(row: unknown): unknown {
    const value = readPath(row, this.#path)
    return this.#isFolded && isScalar(value) ? fold(String(value)) : value
  }

  #valueAt(place: number): unknown {
    return this.#read(this.#order.slots[this.#ranks.at(place)])
  }

  #placeOf(value: unknown, rank: number): number {
    return firstWhere(0, this.#ranks.length, (place) => {
      const difference = compareScalars(this.#valueAt(place), value)
      return difference > 0 || (difference === 0 && this.#ranks.at(place) >= rank)
    })
  }

  #firstPast(bound: Scalar, isAfter: boolean): number {
    return firstWhere(
      0,
      this.#values,
      (place) => compareScalars(this.#valueAt(place), bound) >= (isAfter ? 1 : 0),
    )
  }

  /** The last position in a direction with the same value, by galloping search: most runs are short. */
  #reach(from: number, direction: 1 | -1, limit: number): number {
    const value = this.#valueAt(from)
    const longest = Math.abs(limit - from)
    const isOther = (distance: number) => this.#valueAt(from + direction * distance) !== value
    let high = 1
    while (high <= longest && !isOther(high)) high *= 2
    const first = firstWhere(high >>> 1, Math.min(high, longest + 1), isOther)
    return from + direction * (first - 1)
  }
}

/** Maps do not hash longer strings by content, but compare them. */
const LONGEST = 16_000

function numbersOf(texts: readonly string[]): number[] {
  return texts.map(Number).filter((number) => !Number.isNaN(number))
}

/** The ends of the interval of a condition. Each may have several values, of which the widest counts. */
function boundsOf({ op, values }: Pick<Condition, 'op' | 'values'>): readonly Bound[] {
  if (op === 'between') {
    const [low = '', high = ''] = values
    return [
      { end: 'low', isIncluded: true, values: [low] },
      { end: 'high', isIncluded: true, values: [high] },
    ]
  }
  const end = op === 'gt' || op === 'gte' ? 'low' : 'high'
  return [{ end, isIncluded: op === 'gte' || op === 'lte', values }]
}

interface Bound {
  readonly end: 'low' | 'high'
  readonly isIncluded: boolean
  readonly values: readonly string[]
}

/** Binary search: the first number from `low` that passes, or `high`. */
function firstWhere(low: number, high: number, passes: (place: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = (first + last) >>> 1
    if (passes(middle)) last = middle
    else first = middle + 1
  }
  return first
}
