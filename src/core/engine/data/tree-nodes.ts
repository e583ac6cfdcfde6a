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
}

export class Branch {
  readonly height: number
  readonly children: readonly Node[]
  readonly ends: readonly number[]
  readonly size: number
  readonly width: number
  readonly lastItem: unknown
  readonly lastRank: number

  constructor(children: readonly Node[]) {
    const last = children[children.length - 1]
    const ends: number[] = []
    let size = 0
    for (const child of children) {
      size += child.size
      ends.push(size)
    }
    this.children = children
    this.height = (last?.height ?? 0) + 1
    this.ends = ends
    this.size = size
    this.width = children.length
    this.lastItem = last?.lastItem
    this.lastRank = last?.lastRank ?? 0
  }
}

export type Node = Leaf | Branch

/** Inserts an entry, or replaces an equal one, or removes it. */
export interface Edit {
  readonly item: unknown
  readonly rank: number
  readonly isGone?: boolean
}

const MOST = 64
/** A smaller node joins a neighbor that has room. */
const FEW = MOST / 4

export const EMPTY = new Leaf([], [])

export function childFor({ children }: Branch, order: Order, item: unknown, rank: number): number {
  let [low, high] = [0, children.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    const child = children[middle]
    if (child && order(child.lastItem, child.lastRank, item, rank) < 0) low = middle + 1
    else high = middle
  }
  return low
}

export function indexIn({ items, ranks }: Leaf, order: Order, item: unknown, rank: number): number {
  let [low, high] = [0, items.length]
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
  if (items.length > 0 && items.length <= MOST) return [new Leaf(items, ranks)]
  const most = sizeOfParts(items.length, isAtEnd)
  const leaves: Leaf[] = []
  for (let at = 0; at < items.length; at += most) {
    leaves.push(new Leaf(items.slice(at, at + most), ranks.slice(at, at + most)))
  }
  return leaves
}

function branchesOf(children: readonly Node[], isAtEnd: boolean): readonly Branch[] {
  if (children.length > 0 && children.length <= MOST) return [new Branch(children)]
  const most = sizeOfParts(children.length, isAtEnd)
  const branches: Branch[] = []
  for (let at = 0; at < children.length; at += most) branches.push(new Branch(children.slice(at, at + most)))
  return branches
}

/** Equal parts; but full ones where data grows at its end only. */
function sizeOfParts(length: number, isAtEnd: boolean): number {
  return isAtEnd ? MOST : Math.ceil(length / Math.ceil(length / MOST))
}

/** Nodes of the same height: none if nothing is left, several if it grew too large. */
export function editNode(node: Node, order: Order, edits: readonly Edit[]): readonly Node[] {
  return node instanceof Branch ? editBranch(node, order, edits) : editLeaf(node, order, edits)
}

function editLeaf(leaf: Leaf, order: Order, edits: readonly Edit[]): readonly Leaf[] {
  const items: unknown[] = []
  const ranks: number[] = []
  let [isSame, hasSameRanks] = [true, true]
  let next = 0
  for (const { item, rank, isGone = false } of edits) {
    const at = indexIn(leaf, order, item, rank)
    append(items, leaf.items, next, at)
    append(ranks, leaf.ranks, next, at)
    const isThere = at < leaf.size && order(leaf.items[at], leaf.ranks[at] ?? 0, item, rank) === 0
    next = isThere ? at + 1 : at
    if (isThere === isGone) hasSameRanks = false
    if (isThere ? isGone || leaf.items[at] !== item : !isGone) isSame = false
    if (isGone) continue
    items.push(item)
    ranks.push(rank)
  }
  if (isSame) return [leaf]
  append(items, leaf.items, next, leaf.size)
  append(ranks, leaf.ranks, next, leaf.size)
  return leavesOf(items, hasSameRanks ? leaf.ranks : ranks, next === leaf.size)
}

function editBranch(branch: Branch, order: Order, edits: readonly Edit[]): readonly Branch[] {
  const children: Node[] = []
  let isSame = true
  let next = 0
  for (let start = 0, end = 0; start < edits.length; start = end) {
    const { item, rank } = edits[start] as Edit
    const at = childFor(branch, order, item, rank)
    const child = branch.children[at] ?? EMPTY
    end = at === branch.width - 1 ? edits.length : endOf(edits, start, child, order)
    append(children, branch.children, next, at)
    const parts = editNode(child, order, edits.slice(start, end))
    append(children, parts, 0, parts.length)
    if (parts.length !== 1 || parts[0] !== child) isSame = false
    next = at + 1
  }
  if (isSame) return [branch]
  append(children, branch.children, next, branch.width)
  return branchesOf(joinSmall(children), next === branch.width)
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
    const hasRoom = last && Math.min(last.width, node.width) < FEW && last.width + node.width <= MOST
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
