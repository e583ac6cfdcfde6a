import { Pace } from '../../util/pace.ts'
import type { Row } from '../types.ts'
import type { Derivation } from './derived.ts'
import { sortInRuns } from './sort-in-runs.ts'
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
    for (const [at, row] of leaf.items.entries()) {
      for (const key of keysOf(row as Row)) {
        keys.push(key)
        ranks.push(leaf.ranks[at] ?? 0)
      }
      if (pace.isDue) await pace.turn()
    }
  }
  const sorted = await sortKeys(keys, ranks, pace)
  return Tree.from(byKey, sorted.keys, sorted.ranks)
}

/** A row with more keys makes the index be rebuilt, with pauses. */
const MOST_KEYS = 10_000

function updateIndex(
  index: Index,
  changes: readonly Difference<Row>[],
  { keysOf }: Column,
): Index | undefined {
  const edits: Edit[] = []
  for (const { rank, before, after } of changes) {
    const old = before === undefined ? [] : keysOf(before)
    const keys = after === undefined ? [] : keysOf(after)
    if (old === keys) continue
    if (old.length + keys.length > MOST_KEYS) return undefined
    for (const item of except(old, keys)) edits.push({ item, rank, isGone: true })
    for (const item of except(keys, old)) edits.push({ item, rank })
  }
  return index.edit(edits.sort((a, b) => byKey(a.item, a.rank, b.item, b.rank)))
}

function except(keys: readonly Key[], excluded: readonly Key[]): readonly Key[] {
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

/** Stable. Sorts only distinct keys, in native order: custom comparators are slow. */
async function sortKeys(
  keys: readonly Key[],
  ranks: readonly number[],
  pace: Pace,
): Promise<{ readonly keys: readonly Key[]; readonly ranks: readonly number[] }> {
  if (isSorted(keys)) return { keys, ranks }
  const positions = new Map<Key, number>()
  for (const [at, key] of keys.entries()) {
    positions.set(key, (positions.get(key) ?? 0) + 1)
    if (at % 512 === 0 && pace.isDue) await pace.turn()
  }
  const distinct = await sortDistinct([...positions.keys()], pace)
  let next = 0
  for (const key of distinct) {
    const count = positions.get(key) ?? 0
    positions.set(key, next)
    next += count
  }
  if (pace.isDue) await pace.turn()
  const sorted = { keys: new Array<Key>(keys.length), ranks: new Array<number>(keys.length) }
  for (const [at, key] of keys.entries()) {
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    sorted.keys[position] = key
    sorted.ranks[position] = ranks[at] ?? 0
    if (at % 512 === 0 && pace.isDue) await pace.turn()
  }
  return sorted
}

function isSorted(keys: readonly Key[]): boolean {
  for (let at = 1; at < keys.length; at++) if (byKey(keys[at - 1], 0, keys[at], 0) > 0) return false
  return true
}

async function sortDistinct(keys: readonly Key[], pace: Pace): Promise<readonly Key[]> {
  const numbers = keys.filter((key) => typeof key === 'number')
  const strings = keys.filter((key) => typeof key === 'string')
  const others = keys.filter((key) => typeof key !== 'number' && typeof key !== 'string')
  // Wrapped, since `sort` puts undefined last whatever the comparator says.
  const rest = others.map((key) => ({ key })).sort((a, b) => byKey(a.key, 0, b.key, 0))
  const texts = await sortInRuns(strings, RUN, pace)
  return [...Float64Array.from(numbers).sort(), ...texts, ...rest.map(({ key }) => key)]
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
