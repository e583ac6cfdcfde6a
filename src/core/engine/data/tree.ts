import { firstAbove } from '../../kernel/util/first-above.ts'
import {
  Branch,
  type Edit,
  EMPTY,
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

  entryAt(position: number): { readonly item: Item | undefined; readonly rank: number } {
    let node = this.root
    let at = position
    while (node instanceof Branch) {
      const child = firstAbove(node.ends, at)
      at -= node.ends[child - 1] ?? 0
      node = node.children[child] ?? EMPTY
    }
    return { item: node.items[at] as Item | undefined, rank: node.ranks[at] ?? Number.NaN }
  }

  /** Entries before this one, whether it exists or not. */
  positionOf(item: unknown, rank: number): number {
    let before = 0
    let node = this.root
    while (node instanceof Branch) {
      const at = indexIn(node, this.#order, item, rank)
      before += node.ends[at - 1] ?? 0
      node = node.children[at] ?? EMPTY
    }
    return before + indexIn(node, this.#order, item, rank)
  }

  leafFor(item: unknown, rank: number): Leaf {
    let node = this.root
    while (node instanceof Branch) node = node.children[indexIn(node, this.#order, item, rank)] ?? EMPTY
    return node
  }

  *leaves(): Generator<Leaf> {
    const left: Node[] = this.size > 0 ? [this.root] : []
    for (let node = left.pop(); node; node = left.pop()) {
      if (node instanceof Branch) left.push(...node.children.toReversed())
      else yield node
    }
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
    const nodes = this.root.edit(this.#order, edits)
    return nodes[0] === this.root && nodes.length === 1 ? this : new Tree(rootOf(nodes), this.#order)
  }
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
  // What is left of each, the next node last, and where in it if it is a leaf.
  const old: Node[] = before.size > 0 ? [before.root] : []
  const next: Node[] = after.size > 0 ? [after.root] : []
  let [oldAt, nextAt] = [0, 0]
  while (old.length > 0 || next.length > 0) {
    const [oldNode, nextNode] = [old.at(-1), next.at(-1)]
    if (oldAt === 0 && nextAt === 0 && oldNode === nextNode) {
      old.pop()
      next.pop()
      continue
    }
    const [height, nextHeight] = [oldNode?.height ?? 0, nextNode?.height ?? 0]
    if (height > 0 || nextHeight > 0) {
      if (height >= nextHeight) enter(old)
      if (nextHeight >= height) enter(next)
      continue
    }
    const rank = oldNode?.ranks[oldAt] ?? Number.POSITIVE_INFINITY
    const nextRank = nextNode?.ranks[nextAt] ?? Number.POSITIVE_INFINITY
    const row = rank <= nextRank ? oldNode?.items[oldAt++] : undefined
    const nextRow = nextRank <= rank ? nextNode?.items[nextAt++] : undefined
    if (oldAt === oldNode?.size) {
      old.pop()
      oldAt = 0
    }
    if (nextAt === nextNode?.size) {
      next.pop()
      nextAt = 0
    }
    if (row !== nextRow) {
      yield {
        rank: Math.min(rank, nextRank),
        before: row as Item | undefined,
        after: nextRow as Item | undefined,
      }
    }
  }
}

/** Puts the children of the last node in its place, the first one last. */
function enter(left: Node[]): void {
  const node = left.pop()
  if (node instanceof Branch) left.push(...node.children.toReversed())
}
