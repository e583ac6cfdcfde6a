import { TimeSlice } from '../../kernel/util/pace.ts'
import type { Row } from '../types.ts'
import type { Derivation } from './derived.ts'
import { type Difference, Tree } from './tree.ts'
import type { Edit } from './tree-nodes.ts'

export type Index = Tree<IndexKey>

/** The values of rows in a column, as an index of their keys. */
export class Column<Kind extends IndexKey = IndexKey> implements Derivation<Index> {
  /** Columns of the same name have the same keys. */
  readonly name: string
  readonly keysOf: (row: Row) => readonly Kind[]

  constructor(name: string, keysOf: (row: Row) => readonly Kind[]) {
    this.name = name
    this.keysOf = keysOf
  }

  async build(rows: Tree<Row>): Promise<Index> {
    const { keysOf } = this
    const pace = new TimeSlice()
    const keys: IndexKey[] = []
    const ranks: number[] = []
    let isSorted = true
    for (const leaf of rows.leaves()) {
      for (let at = 0; at < leaf.size; at++) {
        for (const key of keysOf(leaf.items[at] as Row)) {
          isSorted &&= keys.length === 0 || byKey(keys[keys.length - 1], 0, key, 0) <= 0
          keys.push(key)
          ranks.push(leaf.ranks[at] ?? 0)
        }
        if (pace.isUsedUp) await pace.yieldToEventLoop()
      }
    }
    const sorted = isSorted ? { keys, ranks } : await sortKeys(keys, ranks, pace)
    return Tree.from(byKey, sorted.keys, sorted.ranks)
  }

  update(index: Index, changes: readonly Difference<Row>[]): Index | undefined {
    const { keysOf } = this
    const edits: Edit[] = []
    let size = 0
    for (const { rank, before, after } of changes) {
      const old = before === undefined ? [] : keysOf(before)
      const keys = after === undefined ? [] : keysOf(after)
      if (old === keys) continue
      size += old.length + keys.length
      if (size > MOST_KEYS) return undefined
      for (const item of except(old, keys)) edits.push({ item, rank, isGone: true })
      for (const item of except(keys, old)) edits.push({ item, rank })
    }
    return index.edit(edits.sort((a, b) => byKey(a.item, a.rank, b.item, b.rank)))
  }
}

/** Changed rows with more keys together make the index be rebuilt, with pauses. */
const MOST_KEYS = 50_000

function except(keys: readonly IndexKey[], excluded: readonly IndexKey[]): readonly IndexKey[] {
  if (excluded.length === 0) return keys
  if (excluded.length < 8) return keys.filter((key) => !excluded.includes(key))
  const excludedSet = new Set(excluded)
  return keys.filter((key) => !excludedSet.has(key))
}

export function rangeOf(index: Index, key: IndexKey): Range {
  return { start: index.positionOf(key, BEFORE), end: index.positionOf(key, AFTER) }
}

export interface Range {
  readonly start: number
  readonly end: number
}

export const BEFORE = Number.NEGATIVE_INFINITY
export const AFTER = Number.POSITIVE_INFINITY

const RUN = 16_384

interface Sorted {
  readonly keys: readonly IndexKey[]
  readonly ranks: readonly number[]
}

/** In runs, merged with pauses: there may be millions of keys. */
async function sortKeys(
  keys: readonly IndexKey[],
  ranks: readonly number[],
  pace: TimeSlice,
): Promise<Sorted> {
  let runs: Sorted[] = []
  for (let start = 0; start < keys.length; start += RUN) {
    runs.push(sortRun(keys.slice(start, start + RUN), ranks.slice(start, start + RUN)))
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  while (runs.length > 1) {
    const merged: Sorted[] = []
    for (const [at, left] of runs.entries()) {
      const right = runs[at + 1]
      if (at % 2 === 0) merged.push(right ? await merge(left, right, pace) : left)
    }
    runs = merged
  }
  return runs[0] ?? { keys, ranks }
}

/** Stable. Sorts only distinct keys, in native order: custom comparators are slow. */
function sortRun(keys: readonly IndexKey[], ranks: readonly number[]): Sorted {
  const positions = new Map<IndexKey, number>()
  for (const key of keys) positions.set(key, (positions.get(key) ?? 0) + 1)
  let next = 0
  for (const key of sortDistinct([...positions.keys()])) {
    const count = positions.get(key) ?? 0
    positions.set(key, next)
    next += count
  }
  const sorted = { keys: new Array<IndexKey>(keys.length), ranks: new Array<number>(keys.length) }
  for (const [at, key] of keys.entries()) {
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    sorted.keys[position] = key
    sorted.ranks[position] = ranks[at] ?? 0
  }
  return sorted
}

function sortDistinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  const numbers = keys.filter((key) => typeof key === 'number')
  const strings = keys.filter((key) => typeof key === 'string')
  const others = keys.filter((key) => typeof key !== 'number' && typeof key !== 'string')
  // Wrapped, since `sort` puts undefined last whatever the comparator says.
  const rest = others.map((key) => ({ key })).sort((a, b) => byKey(a.key, 0, b.key, 0))
  return [...Float64Array.from(numbers).sort(), ...strings.sort(), ...rest.map(({ key }) => key)]
}

/** Rows of the left run come first. */
async function merge(left: Sorted, right: Sorted, pace: TimeSlice): Promise<Sorted> {
  const size = left.keys.length + right.keys.length
  const merged = { keys: new Array<IndexKey>(size), ranks: new Array<number>(size) }
  let [one, other] = [0, 0]
  for (let at = 0, steps = 0; at < size; steps++) {
    const isLeft =
      other === right.keys.length ||
      (one < left.keys.length && byKey(left.keys[one], 0, right.keys[other], 0) <= 0)
    const { keys, ranks } = isLeft ? left : right
    const start = isLeft ? one : other
    const key = keys[start]
    let next = start
    do {
      merged.keys[at] = key
      merged.ranks[at++] = ranks[next++] ?? 0
    } while (next < keys.length && keys[next] === key)
    if (isLeft) one = next
    else other = next
    if (steps % 512 === 0 && pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return merged
}

/** In order: numbers, strings, booleans, null, undefined, marks. */
export type IndexKey = number | string | boolean | null | undefined | Mark

export class Mark {
  readonly order: number

  constructor(order: number) {
    this.order = order
  }
}

export function byKey(key: unknown, rank: number, otherKey: unknown, otherRank: number): number {
  if (typeof key === typeof otherKey && (typeof key === 'number' || typeof key === 'string')) {
    const [left, right] = [key as number, otherKey as number]
    if (left < right) return -1
    return left > right ? 1 : rank - otherRank
  }
  return regionOf(key) - regionOf(otherKey) || Number(key) - Number(otherKey) || rank - otherRank
}

export function byRank(_item: unknown, rank: number, _other: unknown, otherRank: number): number {
  return rank - otherRank
}

function regionOf(key: unknown): number {
  switch (typeof key) {
    case 'number':
      return 0
    case 'string':
      return 1
    case 'boolean':
      return 2
    case 'undefined':
      return 4
    default:
      return key instanceof Mark ? 5 + key.order : 3
  }
}
