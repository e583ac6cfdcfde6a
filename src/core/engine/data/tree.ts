import { firstAbove } from '../../kernel/util/first-above.ts'
import {
  Branch,
  childFor,
  type Edit,
  EMPTY,
  editNode,
  indexIn,
  type Leaf,
  leavesOf,
  type Node,
  type Order,
  rootOf,
} from './tree-nodes.ts'

/**
 * A persistent, counted B+ tree: entries in order, each an item and a rank. A change copies the nodes on the way to it
 * and shares all others, so that older versions stay intact.
 */
export class Tree<Item> {
  readonly root: Node
  readonly size: number
  readonly #order: Order

  private constructor(root: Node, order: Order) {
    this.root = root
    this.size = root.size
    this.#order = order
  }

  static from<Item>(order: Order, items: readonly Item[] = [], ranks: readonly number[] = []): Tree<Item> {
    return new Tree(rootOf(leavesOf(items, ranks, true)), order)
  }

  itemAt(position: number): Item | undefined {
    const { leaf, at } = this.#leafAt(position)
    return leaf.items[at] as Item | undefined
  }

  rankAt(position: number): number {
    const { leaf, at } = this.#leafAt(position)
    return leaf.ranks[at] ?? Number.NaN
  }

  /** Entries before this one, whether it exists or not. */
  positionOf(item: unknown, rank: number): number {
    let before = 0
    let node = this.root
    while (node instanceof Branch) {
      const at = childFor(node, this.#order, item, rank)
      before += node.ends[at - 1] ?? 0
      node = node.children[at] ?? EMPTY
    }
    return before + indexIn(node, this.#order, item, rank)
  }

  leafFor(item: unknown, rank: number): Leaf {
    let node = this.root
    while (node instanceof Branch) node = node.children[childFor(node, this.#order, item, rank)] ?? EMPTY
    return node
  }

  *leaves(): Generator<Leaf> {
    if (this.size > 0) yield* leavesIn(this.root)
  }

  items(start = 0, end = this.size): Item[] {
    const items: Item[] = []
    appendPart(this.root, 'items', start, end, items)
    return items
  }

  ranks(start = 0, end = this.size): number[] {
    const ranks: number[] = []
    appendPart(this.root, 'ranks', start, end, ranks)
    return ranks
  }

  /** The same tree if nothing changes. @param edits in order, at most one per entry */
  edit(edits: readonly Edit[]): Tree<Item> {
    const nodes = editNode(this.root, this.#order, edits)
    return nodes[0] === this.root && nodes.length === 1 ? this : new Tree(rootOf(nodes), this.#order)
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
}

function* leavesIn(node: Node): Generator<Leaf> {
  if (node instanceof Branch) for (const child of node.children) yield* leavesIn(child)
  else yield node
}

function appendPart(node: Node, what: 'items' | 'ranks', start: number, end: number, to: unknown[]): void {
  if (start >= end) return
  if (!(node instanceof Branch)) {
    const last = Math.min(node.size, end)
    for (let at = Math.max(0, start); at < last; at++) to.push(node[what][at])
    return
  }
  for (let at = firstAbove(node.ends, start); at < node.width; at++) {
    const before = node.ends[at - 1] ?? 0
    appendPart(node.children[at] ?? EMPTY, what, start - before, end - before, to)
    if ((node.ends[at] ?? 0) >= end) return
  }
}

/** Added if there is no `before`, removed if there is no `after`. */
export interface Difference<Item> {
  readonly rank: number
  readonly before?: Item | undefined
  readonly after?: Item | undefined
}

/** Differences of two versions of a tree ordered by rank, in order. Costs what differs: shared nodes are skipped. */
export function* diff<Item>(before: Tree<Item>, after: Tree<Item>): Generator<Difference<Item>, void> {
  const [old, next] = [new Cursor(before.root), new Cursor(after.root)]
  while (old.node || next.node) {
    if (old.at === 0 && next.at === 0 && old.node === next.node) {
      old.skip()
      next.skip()
      continue
    }
    const [height, nextHeight] = [old.node?.height ?? 0, next.node?.height ?? 0]
    if (height > nextHeight) old.descend()
    else if (nextHeight > height) next.descend()
    else if (height > 0) {
      old.descend()
      next.descend()
    } else {
      const rank = (old.node as Leaf | undefined)?.ranks[old.at] ?? Number.POSITIVE_INFINITY
      const nextRank = (next.node as Leaf | undefined)?.ranks[next.at] ?? Number.POSITIVE_INFINITY
      const before = rank <= nextRank ? (old.take() as Item) : undefined
      const after = nextRank <= rank ? (next.take() as Item) : undefined
      if (before !== after) yield { rank: Math.min(rank, nextRank), before, after }
    }
  }
}

class Cursor {
  /** Not entered yet, unless it is a leaf; undefined at the end. */
  node: Node | undefined
  at = 0
  readonly #rest: Node[] = []

  constructor(root: Node) {
    this.node = root.size > 0 ? root : undefined
  }

  take(): unknown {
    const leaf = this.node as Leaf
    const item = leaf.items[this.at++]
    if (this.at === leaf.size) this.skip()
    return item
  }

  skip(): void {
    this.at = 0
    this.node = this.#rest.pop()
  }

  descend(): void {
    if (!(this.node instanceof Branch)) return
    for (const child of this.node.children.toReversed()) this.#rest.push(child)
    this.skip()
  }
}
