import type { Tree } from './tree.ts'
import { Branch, type Leaf, type Node } from './tree-nodes.ts'

/** Added if there is no `before`, removed if there is no `after`. */
export interface Difference<Item> {
  readonly rank: number
  readonly before?: Item
  readonly after?: Item
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
      if (before === after) continue
      if (before === undefined) yield { rank: nextRank, after: after as Item }
      else yield after === undefined ? { rank, before } : { rank, before, after }
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
