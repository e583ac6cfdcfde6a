import { Pace } from '../../kernel/util/pace.ts'
import type { Row } from '../types.ts'
import type { Derivation } from './derived.ts'
import { type Difference, Tree } from './tree.ts'
import type { Edit } from './tree-nodes.ts'

export interface Column {
  /** Columns of the same name have the same keys. */
  readonly name: string
  keysOf(row: Row): readonly Key[]
}

export type Index = Tree<Key>

export function indexOf(column: Column): Derivation<Index> {
  return {
    name: column.name,
    build: (rows) => buildIndex(rows, column),
    update: (index, changes) => updateIndex(index, changes, column),
  }
}

async function buildIndex(rows: Tree<Row>, { keysOf }: Column): Promise<Index> {
  const pace = new Pace()
  const keys: Key[] = []
  const ranks: number[] = []
  for (const leaf of rows.leaves()) {
    for (let at = 0; at < leaf.size; at++) {
      for (const key of keysOf(leaf.items[at] as Row)) {
        keys.push(key)
        ranks.push(leaf.ranks[at] ?? 0)
      }
      if (pace.isDue) await pace.turn()
    }
  }
  const sorted = await sortKeys(keys, ranks, pace)
  return Tree.from(byKey, sorted.keys, sorted.ranks)
}

/** Changed rows with more keys together make the index be rebuilt, with pauses. */
const MOST_KEYS = 50_000

function updateIndex(
  index: Index,
  changes: readonly Difference<Row>[],
  { keysOf }: Column,
): Index | undefined {
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

function except(keys: readonly Key[], excluded: readonly Key[]): readonly Key[] {
  if (excluded.length === 0) return keys
  if (excluded.length < 8) return keys.filter((key) => !excluded.includes(key))
  const excludedSet = new Set(excluded)
  return keys.filter((key) => !excludedSet.has(key))
}

export function rangeOf(index: Index, key: Key): Range {
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
  readonly keys: readonly Key[]
  readonly ranks: readonly number[]
}

/** In runs, merged with pauses: there may be millions of keys. */
async function sortKeys(keys: readonly Key[], ranks: readonly number[], pace: Pace): Promise<Sorted> {
  if (isSorted(keys)) return { keys, ranks }
  let runs: Sorted[] = []
  for (let start = 0; start < keys.length; start += RUN) {
    runs.push(sortRun(keys.slice(start, start + RUN), ranks.slice(start, start + RUN)))
    if (pace.isDue) await pace.turn()
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

function isSorted(keys: readonly Key[]): boolean {
  for (let at = 1; at < keys.length; at++) if (byKey(keys[at - 1], 0, keys[at], 0) > 0) return false
  return true
}

/** Stable. Sorts only distinct keys, in native order: custom comparators are slow. */
function sortRun(keys: readonly Key[], ranks: readonly number[]): Sorted {
  const positions = new Map<Key, number>()
  for (const key of keys) positions.set(key, (positions.get(key) ?? 0) + 1)
  let next = 0
  for (const key of sortDistinct([...positions.keys()])) {
    const count = positions.get(key) ?? 0
    positions.set(key, next)
    next += count
  }
  const sorted = { keys: new Array<Key>(keys.length), ranks: new Array<number>(keys.length) }
  for (const [at, key] of keys.entries()) {
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    sorted.keys[position] = key
    sorted.ranks[position] = ranks[at] ?? 0
  }
  return sorted
}

function sortDistinct(keys: readonly Key[]): readonly Key[] {
  const numbers = keys.filter((key) => typeof key === 'number')
  const strings = keys.filter((key) => typeof key === 'string')
  const others = keys.filter((key) => typeof key !== 'number' && typeof key !== 'string')
  // Wrapped, since `sort` puts undefined last whatever the comparator says.
  const rest = others.map((key) => ({ key })).sort((a, b) => byKey(a.key, 0, b.key, 0))
  return [...Float64Array.from(numbers).sort(), ...strings.sort(), ...rest.map(({ key }) => key)]
}

/** Rows of the left run come first. */
async function merge(left: Sorted, right: Sorted, pace: Pace): Promise<Sorted> {
  const size = left.keys.length + right.keys.length
  const merged = { keys: new Array<Key>(size), ranks: new Array<number>(size) }
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
    if (steps % 512 === 0 && pace.isDue) await pace.turn()
  }
  return merged
}

/** In order: numbers, strings, booleans, null, undefined, marks. */
export type Key = number | string | boolean | null | undefined | Mark

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
