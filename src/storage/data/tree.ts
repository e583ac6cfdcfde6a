/** Most entries of a leaf, and most children of a branch. */
const MOST = 64
/** A node with fewer joins a neighbor that has room. */
const FEW = MOST / 4

/** How entries are ordered: by item and rank, or by rank alone. No two entries of a tree are equal. */
export type Order = (item: unknown, rank: number, otherItem: unknown, otherRank: number) => number

/** Some entries, in order. Immutable, and the same object as long as they are the same: results per leaf can be kept. */
export class Leaf {
  readonly height = 0
  readonly items: readonly unknown[]
  readonly ranks: readonly number[]

  constructor(items: readonly unknown[], ranks: readonly number[]) {
    this.items = items
    this.ranks = ranks
  }

  get size(): number {
    return this.items.length
  }

  get width(): number {
    return this.items.length
  }

  get lastItem(): unknown {
    return this.items[this.items.length - 1]
  }

  get lastRank(): number {
    return this.ranks[this.ranks.length - 1] ?? 0
  }
}

export class Branch {
  readonly height: number
  readonly children: readonly Node[]
  /** How many entries the children up to each one have. */
  readonly ends: readonly number[]
  readonly lastItem: unknown
  readonly lastRank: number

  constructor(children: readonly Node[]) {
    const last = children[children.length - 1]
    this.children = children
    this.height = (last?.height ?? 0) + 1
    let end = 0
    this.ends = children.map(({ size }) => {
      end += size
      return end
    })
    this.lastItem = last?.lastItem
    this.lastRank = last?.lastRank ?? 0
  }

  get size(): number {
    return this.ends[this.ends.length - 1] ?? 0
  }

  get width(): number {
    return this.children.length
  }
}

export type Node = Leaf | Branch

/**
 * A persistent B+ tree that counts: entries in order, each an item and a rank. A change copies the nodes on the way to it
 * and shares all others, so that every older version stays as it was, at the cost of what differs.
 */
export class Tree<Item> {
  readonly root: Node
  readonly #order: Order

  private constructor(root: Node, order: Order) {
    this.root = root
    this.#order = order
  }

  /** @param items in order, with the rank of each */
  static from<Item>(order: Order, items: readonly Item[] = [], ranks: readonly number[] = []): Tree<Item> {
    let nodes: Node[] = []
    for (let at = 0; at < items.length; at += MOST) {
      nodes.push(new Leaf(items.slice(at, at + MOST), ranks.slice(at, at + MOST)))
    }
    while (nodes.length > 1) {
      const branches: Branch[] = []
      for (let at = 0; at < nodes.length; at += MOST) branches.push(new Branch(nodes.slice(at, at + MOST)))
      nodes = branches
    }
    return new Tree(nodes[0] ?? EMPTY, order)
  }

  get size(): number {
    return this.root.size
  }

  itemAt(position: number): Item | undefined {
    const { leaf, at } = this.#leafAt(position)
    return leaf.items[at] as Item | undefined
  }

  rankAt(position: number): number {
    const { leaf, at } = this.#leafAt(position)
    return leaf.ranks[at] ?? Number.NaN
  }

  /** How many entries come before this one, whether it is there or not. */
  positionOf(item: unknown, rank: number): number {
    let before = 0
    let node = this.root
    while (node instanceof Branch) {
      const at = childFor(node, this.#order, item, rank)
      before += node.ends[at - 1] ?? 0
      node = node.children[at] ?? EMPTY
    }
    return before + placeIn(node, this.#order, item, rank)
  }

  /** The leaf that has, or would have, this entry. */
  leafFor(item: unknown, rank: number): Leaf {
    let node = this.root
    while (node instanceof Branch) node = node.children[childFor(node, this.#order, item, rank)] ?? EMPTY
    return node
  }

  /** The leaves from a position on, each with the position of its first entry. */
  *leaves(start = 0): Generator<{ readonly leaf: Leaf; readonly first: number }> {
    if (start < this.size) yield* leavesOf(this.root, start, 0)
  }

  items(start = 0, end = this.size): Item[] {
    return this.#part(start, end, ({ items }) => items as readonly Item[])
  }

  ranks(start = 0, end = this.size): number[] {
    return this.#part(start, end, ({ ranks }) => ranks)
  }

  /** With this entry, in the place of an equal one if there is one. */
  with(item: Item, rank: number): Tree<Item> {
    const nodes = insert(this.root, this.#order, item, rank)
    const [only] = nodes
    return new Tree(nodes.length === 1 && only ? only : new Branch(nodes), this.#order)
  }

  /** The same tree if there is no such entry. */
  without(item: unknown, rank: number): Tree<Item> {
    let root = remove(this.root, this.#order, item, rank)
    if (root === this.root) return this
    while (root instanceof Branch && root.children.length === 1) root = root.children[0]
    return new Tree(root ?? EMPTY, this.#order)
  }

  #leafAt(position: number): { leaf: Leaf; at: number } {
    let node = this.root
    let at = position
    while (node instanceof Branch) {
      const child = firstAbove(node.ends, at)
      at -= node.ends[child - 1] ?? 0
      node = node.children[child] ?? EMPTY
    }
    return { leaf: node, at }
  }

  #part<T>(start: number, end: number, read: (leaf: Leaf) => readonly T[]): T[] {
    const part: T[] = []
    if (start >= end) return part
    for (const { leaf, first } of this.leaves(start)) {
      if (first >= end) break
      const all = read(leaf)
      const last = Math.min(all.length, end - first)
      for (let at = Math.max(0, start - first); at < last; at++) part.push(all[at] as T)
    }
    return part
  }
}

const EMPTY = new Leaf([], [])

function* leavesOf(
  node: Node,
  start: number,
  first: number,
): Generator<{ readonly leaf: Leaf; readonly first: number }> {
  if (!(node instanceof Branch)) {
    yield { leaf: node, first }
    return
  }
  for (let at = firstAbove(node.ends, start - first); at < node.children.length; at++) {
    const child = node.children[at]
    if (child) yield* leavesOf(child, start, first + (node.ends[at - 1] ?? 0))
  }
}

/** The first child whose end is above the position. */
function firstAbove(ends: readonly number[], position: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The child that has, or would have, an entry. */
function childFor({ children }: Branch, order: Order, item: unknown, rank: number): number {
  let [low, high] = [0, children.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    const child = children[middle]
    if (child && order(child.lastItem, child.lastRank, item, rank) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** How many entries of a leaf come before this one. */
function placeIn({ items, ranks }: Leaf, order: Order, item: unknown, rank: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order(items[middle], ranks[middle] ?? 0, item, rank) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function isAt({ items, ranks }: Leaf, at: number, order: Order, item: unknown, rank: number): boolean {
  return at < items.length && order(items[at], ranks[at] ?? 0, item, rank) === 0
}

/** One node, or two if it was full. */
function insert(node: Node, order: Order, item: unknown, rank: number): readonly Node[] {
  if (node instanceof Branch) {
    const at = childFor(node, order, item, rank)
    const parts = insert(node.children[at] ?? EMPTY, order, item, rank)
    const children = node.children.toSpliced(at, 1, ...parts)
    if (children.length <= MOST) return [new Branch(children)]
    const half = middleOf(children.length, at)
    return [new Branch(children.slice(0, half)), new Branch(children.slice(half))]
  }
  const at = placeIn(node, order, item, rank)
  const isThere = isAt(node, at, order, item, rank)
  const items = node.items.toSpliced(at, isThere ? 1 : 0, item)
  const ranks = isThere ? node.ranks : node.ranks.toSpliced(at, 0, rank)
  if (items.length <= MOST) return [new Leaf(items, ranks)]
  const half = middleOf(items.length, at)
  return [
    new Leaf(items.slice(0, half), ranks.slice(0, half)),
    new Leaf(items.slice(half), ranks.slice(half)),
  ]
}

/** Where a full node is divided: what only ever grows at its end stays full. */
function middleOf(length: number, at: number): number {
  return at >= length - 2 ? length - 1 : length >>> 1
}

/** Undefined if nothing is left. */
function remove(node: Node, order: Order, item: unknown, rank: number): Node | undefined {
  if (!(node instanceof Branch)) {
    const at = placeIn(node, order, item, rank)
    if (!isAt(node, at, order, item, rank)) return node
    return node.size === 1 ? undefined : new Leaf(node.items.toSpliced(at, 1), node.ranks.toSpliced(at, 1))
  }
  const at = childFor(node, order, item, rank)
  const child = node.children[at]
  const rest = child && remove(child, order, item, rank)
  if (rest === child) return node
  const children = node.children.toSpliced(at, 1, ...(rest ? [rest] : []))
  if (rest && rest.width < FEW) join(children, at)
  return children.length === 0 ? undefined : new Branch(children)
}

/** Joins a small node with a neighbor, if one has room. */
function join(children: Node[], at: number): void {
  for (const first of [at - 1, at]) {
    const [one, other] = [children[first], children[first + 1]]
    if (!one || !other || one.width + other.width > MOST) continue
    children.splice(first, 2, joined(one, other))
    return
  }
}

function joined(one: Node, other: Node): Node {
  if (one instanceof Branch && other instanceof Branch)
    return new Branch([...one.children, ...other.children])
  const [left, right] = [one as Leaf, other as Leaf]
  return new Leaf([...left.items, ...right.items], [...left.ranks, ...right.ranks])
}
