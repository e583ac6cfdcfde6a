import { Pace } from '../../work/pace.ts'
import type { Row } from '../types.ts'
import type { Derivation } from './derived.ts'
import type { Difference } from './diff.ts'
import { byKey, type Key } from './key.ts'
import { sortKeys } from './sort-keys.ts'
import { type Edit, Tree } from './tree.ts'

export interface Column {
  /** Columns of the same name have the same keys. */
  readonly name: string
  /** Each key once. */
  keysOf(row: Row): readonly Key[]
}

/** The ranks of rows, by a key. */
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
  for (const { leaf } of rows.leaves()) {
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

/** A row that keeps its keys costs nothing. */
function updateIndex(index: Index, changes: readonly Difference<Row>[], { keysOf }: Column): Index {
  const edits: Edit[] = []
  for (const { rank, before, after } of changes) {
    const old = before === undefined ? [] : keysOf(before)
    const keys = after === undefined ? [] : keysOf(after)
    for (const key of old) if (!keys.includes(key)) edits.push({ item: key, rank, isGone: true })
    for (const key of keys) if (!old.includes(key)) edits.push({ item: key, rank })
  }
  return index.edit(edits.sort((a, b) => byKey(a.item, a.rank, b.item, b.rank)))
}

/** Where the entries with a key are in an index: from `start` to `end`, which is not included. */
export function rangeOf(index: Index, key: Key): Range {
  return { start: index.positionOf(key, BEFORE), end: index.positionOf(key, AFTER) }
}

export interface Range {
  readonly start: number
  readonly end: number
}

export const BEFORE = Number.NEGATIVE_INFINITY
export const AFTER = Number.POSITIVE_INFINITY
