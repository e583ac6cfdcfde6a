/** By item and rank, or by rank alone. No two entries of a tree are equal. */
export type Order = (item: unknown, rank: number, otherItem: unknown, otherRank: number) => number

/** Immutable, and the same object while its entries are the same: results per leaf can be cached. */
export class Leaf {
  readonly height = 0
  readonly items: readonly unknown[]
  readonly ranks: readonly number[]
  readonly size: number
  readonly width: number
  readonly lastItem: unknown
  readonly lastRank: number

  constructor(items: readonly unknown[], ranks: readonly number[]) {
    this.items = items
    this.ranks = ranks
    this.size = items.length
    this.width = items.length
    this.lastItem = items[items.length - 1]
    this.lastRank = ranks[ranks.length - 1] ?? 0
  }

  /** Nodes of the same height: none if nothing is left, several if it grew too large. */
  edit(order: Order, edits: readonly Edit[]): readonly Leaf[] {
    const items: unknown[] = []
    const ranks: number[] = []
    let [isSame, hasSameRanks] = [true, true]
    let next = 0
    for (const { item, rank, isGone = false } of edits) {
      const at = indexIn(this, order, item, rank)
      append(items, this.items, next, at)
      append(ranks, this.ranks, next, at)
      const isThere = at < this.size && order(this.items[at], this.ranks[at] ?? 0, item, rank) === 0
      next = isThere ? at + 1 : at
      if (isThere === isGone) hasSameRanks = false
      if (isThere ? isGone || this.items[at] !== item : !isGone) isSame = false
      if (isGone) continue
      items.push(item)
      ranks.push(rank)
    }
    if (isSame) return [this]
    append(items, this.items, next, this.size)
    append(ranks, this.ranks, next, this.size)
    return leavesOf(items, hasSameRanks ? this.ranks : ranks, next === this.size)
  }
}

export class Branch {
  readonly height: number
  readonly children: readonly Node[]
  /** The last entries of the children. */
  readonly items: readonly unknown[]
  readonly ranks: readonly number[]
  readonly ends: readonly number[]
  readonly size: number
  readonly width: number
  readonly lastItem: unknown
  readonly lastRank: number

  constructor(children: readonly Node[]) {
    const last = children[children.length - 1]
    const items: unknown[] = []
    const ranks: number[] = []
    const ends: number[] = []
    let size = 0
    for (const child of children) {
      items.push(child.lastItem)
      ranks.push(child.lastRank)
      size += child.size
      ends.push(size)
    }
    this.children = children
    this.height = (last?.height ?? 0) + 1
    this.items = items
    this.ranks = ranks
    this.ends = ends
    this.size = size
    this.width = children.length
    this.lastItem = last?.lastItem
    this.lastRank = last?.lastRank ?? 0
  }

  /** Nodes of the same height: none if nothing is left, several if it grew too large. */
  edit(order: Order, edits: readonly Edit[]): readonly Branch[] {
    const children: Node[] = []
    let isSame = true
    let next = 0
    for (let start = 0, end = 0; start < edits.length; start = end) {
      const { item, rank } = edits[start] as Edit
      const at = indexIn(this, order, item, rank)
      const child = this.children[at] ?? EMPTY
      end = at === this.width - 1 ? edits.length : endOf(edits, start, child, order)
      append(children, this.children, next, at)
      const parts = child.edit(order, edits.slice(start, end))
      append(children, parts, 0, parts.length)
      if (parts.length !== 1 || parts[0] !== child) isSame = false
      next = at + 1
    }
    if (isSame) return [this]
    append(children, this.children, next, this.width)
    return branchesOf(joinSmall(children), next === this.width)
  }
}

export type Node = Leaf | Branch

/** Inserts an entry, or replaces an equal one, or removes it. */
export interface Edit {
  readonly item: unknown
  readonly rank: number
  readonly isGone?: boolean
}

/** Of a node. */
export const MOST_ITEMS = 64
/** A smaller node joins a neighbor that has room. */
const FEW = MOST_ITEMS / 4

export const EMPTY = new Leaf([], [])

/** Where an entry is in a leaf, or would be; of a branch, the child that it is in, or would be. */
export function indexIn(node: Node, order: Order, item: unknown, rank: number): number {
  const { items, ranks, height } = node
  let [low, high] = [0, height === 0 ? items.length : items.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(items[middle], ranks[middle] ?? 0, item, rank) < 0) low = middle + 1
    else high = middle
  }
  return low
}

export function rootOf(nodes: readonly Node[]): Node {
  let top = nodes
  while (top.length > 1) top = branchesOf(top, true)
  let root = top[0] ?? EMPTY
  while (root instanceof Branch && root.width === 1) root = root.children[0] ?? EMPTY
  return root
}

export function leavesOf(
  items: readonly unknown[],
  ranks: readonly number[],
  isAtEnd: boolean,
): readonly Leaf[] {
  if (items.length > 0 && items.length <= MOST_ITEMS) return [new Leaf(items, ranks)]
  const most = isAtEnd ? MOST_ITEMS : evenly(items.length)
  const leaves: Leaf[] = []
  for (let at = 0; at < items.length; at += most) {
    leaves.push(new Leaf(items.slice(at, at + most), ranks.slice(at, at + most)))
  }
  return leaves
}

function branchesOf(children: readonly Node[], isAtEnd: boolean): readonly Branch[] {
  if (children.length > 0 && children.length <= MOST_ITEMS) return [new Branch(children)]
  const most = isAtEnd ? MOST_ITEMS : evenly(children.length)
  const branches: Branch[] = []
  for (let at = 0; at < children.length; at += most) branches.push(new Branch(children.slice(at, at + most)))
  return branches
}

/** The size of equal parts. Where data grows at its end only, they are full instead. */
function evenly(length: number): number {
  return Math.ceil(length / Math.ceil(length / MOST_ITEMS))
}

function append<T>(to: T[], from: readonly T[], start: number, end: number): void {
  for (let at = start; at < end; at++) to.push(from[at] as T)
}

function endOf(edits: readonly Edit[], start: number, { lastItem, lastRank }: Node, order: Order): number {
  let end = start + 1
  for (let edit = edits[end]; edit && order(lastItem, lastRank, edit.item, edit.rank) >= 0; edit = edits[end])
    end++
  return end
}

function joinSmall(nodes: readonly Node[]): readonly Node[] {
  const joined: Node[] = []
  let last: Node | undefined
  for (const node of nodes) {
    const hasRoom = last && Math.min(last.width, node.width) < FEW && last.width + node.width <= MOST_ITEMS
    if (last && hasRoom) joined.pop()
    last = last && hasRoom ? join(last, node) : node
    joined.push(last)
  }
  return joined
}

function join(one: Node, other: Node): Node {
  if (one instanceof Branch && other instanceof Branch)
    return new Branch([...one.children, ...other.children])
  const [left, right] = [one as Leaf, other as Leaf]
  return new Leaf([...left.items, ...right.items], [...left.ranks, ...right.ranks])
}
