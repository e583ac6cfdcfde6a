import type { Row } from '../types.ts'
import { Derived } from './derived.ts'
import { byRank } from './index.ts'
import { Tree } from './tree.ts'
import type { Edit, Leaf } from './tree-nodes.ts'

let versions = 0

/**
 * The rows of a collection. Immutable: a change makes another table that shares what it did not touch. Each row has a
 * rank, a number that it keeps for life and passes on to its replacement, ascending in row order.
 */
export class Table extends Derived {
  readonly version = ++versions
  readonly size: number
  readonly nextRank: number

  private constructor(rows: Tree<Row>, before?: Table) {
    super(rows, before)
    this.size = rows.size
    this.nextRank = rows.size === 0 ? 0 : Math.floor(rows.root.lastRank) + 1
  }

  static readonly EMPTY = Table.of([])

  /** Undefined and gaps become null, as in JSON. @param ranks ascending; by default the rows are numbered */
  static of(rows: readonly Row[], ranks: readonly number[] = numbered(rows.length)): Table {
    const whole = (rows as readonly unknown[]).includes(undefined)
      ? Array.from(rows, (row) => row ?? null)
      : rows
    return new Table(Tree.from(byRank, whole as readonly Row[], ranks))
  }

  row(rank: number): Row | undefined {
    const leaf = this.rows.leafFor(undefined, rank)
    return leaf.items[indexOfRank(leaf, rank)] as Row | undefined
  }

  /** In the order of the ranks. Fastest if they are ascending. */
  pick(ranks: readonly number[]): Row[] {
    const picked: Row[] = []
    let leaf: Leaf | undefined
    for (const rank of ranks) {
      if (!leaf || rank > leaf.lastRank || rank < (leaf.ranks[0] ?? 0))
        leaf = this.rows.leafFor(undefined, rank)
      const row = leaf.items[indexOfRank(leaf, rank)]
      if (row !== undefined) picked.push(row as Row)
    }
    return picked
  }

  /** Itself if nothing changes. @param changes by ascending rank; without `after`, the row is removed */
  edit(changes: readonly Change[]): Table {
    const edits: Edit[] = []
    for (const { rank, after } of changes) edits.push({ item: after, rank, isGone: after === undefined })
    const rows = this.rows.edit(edits)
    return rows === this.rows ? this : new Table(rows, this)
  }

  withAt(position: number, rows: readonly Row[]): Table {
    if (position >= this.size) {
      let rank = this.nextRank
      const added: Change[] = []
      for (const after of rows) added.push({ rank: rank++, after })
      return this.edit(added)
    }
    const end = this.rows.rankAt(position)
    const start = position > 0 ? this.rows.rankAt(position - 1) : end - 2
    const step = (end - start) / (rows.length + 1)
    const added = rows.map((after, at) => ({ rank: start + step * (at + 1), after }))
    const isFree = added.every(({ rank }, at) => rank > (added[at - 1]?.rank ?? start) && rank < end)
    if (isFree) return this.edit(added)
    // No number is left between them: all rows get new ranks.
    const all = this.rows.items()
    return Table.of([...all.slice(0, position), ...rows, ...all.slice(position)])
  }
}

/** Ten times as fast as `[...rows.keys()]`. */
function numbered(length: number): readonly number[] {
  const ranks: number[] = []
  for (let rank = 0; rank < length; rank++) ranks.push(rank)
  return ranks
}

interface Change {
  readonly rank: number
  readonly after?: Row | undefined
}

function indexOfRank({ ranks }: Leaf, rank: number): number {
  let [low, high] = [0, ranks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranks[middle] ?? 0) < rank) low = middle + 1
    else high = middle
  }
  return ranks[low] === rank ? low : -1
}
