import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byKey, byRank, type IndexKey } from '../../../../src/core/engine/data/index.ts'
import { type Difference, diff, Tree } from '../../../../src/core/engine/data/tree.ts'
import { Branch, type Node } from '../../../../src/core/engine/data/tree-nodes.ts'
import { runs } from '../../../support/length.ts'

interface Entry {
  readonly item: number
  readonly rank: number
}

const entry: fc.Arbitrary<Entry> = fc.record({ item: fc.nat({ max: 5 }), rank: fc.nat({ max: 400 }) })
const steps = fc.array(fc.tuple(fc.constantFrom('with', 'without'), entry), { maxLength: 300 })
const start = fc.array(entry, { maxLength: 400 })

const sorted = (entries: readonly Entry[]) => entries.toSorted((a, b) => a.item - b.item || a.rank - b.rank)

/** Each entry once. */
const distinct = (entries: readonly Entry[]) => [
  ...new Map(entries.map((one) => [`${one.item} ${one.rank}`, one])).values(),
]

function treeOf(entries: readonly Entry[]): Tree<IndexKey> {
  const all = sorted(entries)
  return Tree.from<IndexKey>(
    byKey,
    all.map(({ item }) => item),
    all.map(({ rank }) => rank),
  )
}

function entriesOf(tree: Tree<IndexKey>): readonly Entry[] {
  const ranks = tree.ranks()
  return tree.items().map((item, at) => ({ item: Number(item), rank: ranks[at] ?? 0 }))
}

describe('a tree', () => {
  it('has what was put in, in order, and every older version has what it had', () => {
    fc.assert(
      fc.property(start, steps, (given, changes) => {
        let model = distinct(given)
        let tree = treeOf(model)
        const versions: (readonly [Tree<IndexKey>, readonly Entry[]])[] = [[tree, sorted(model)]]
        for (const [kind, one] of changes) {
          model = model.filter(({ item, rank }) => item !== one.item || rank !== one.rank)
          if (kind === 'with') model.push(one)
          tree = tree.edit([{ ...one, isGone: kind === 'without' }])
          versions.push([tree, sorted(model)])
        }
        for (const [version, expected] of versions) expect(entriesOf(version)).toEqual(expected)
      }),
    )
  })

  it('is after many edits at once what it is after one at a time', () => {
    fc.assert(
      fc.property(start, fc.array(steps, { maxLength: 3 }), (given, rounds) => {
        let [tree, model] = [treeOf(distinct(given)), treeOf(distinct(given))]
        for (const changes of rounds) {
          const edits = distinct(changes.map(([kind, one]) => ({ ...one, isGone: kind === 'without' })))
          tree = tree.edit(sorted(edits))
          for (const edit of edits) model = model.edit([edit])
          expect(entriesOf(tree)).toEqual(entriesOf(model))
          const nodes = nodesOf(tree.root)
          expect(nodes.every(({ width }) => width <= 64)).toBe(true)
          expect(nodes.every((node) => node === tree.root || node.width > 0)).toBe(true)
        }
      }),
    )
  })

  it('is the same tree if nothing changes', () => {
    const tree = treeOf(Array.from({ length: 500 }, (_, rank) => ({ item: rank, rank })))
    expect(tree.edit([])).toBe(tree)
    expect(tree.edit([{ item: 1, rank: 2, isGone: true }])).toBe(tree)
    expect(tree.edit([{ item: 7, rank: 7 }])).toBe(tree)
  })

  it('knows positions', () => {
    fc.assert(
      fc.property(start, steps, entry, (given, changes, asked) => {
        let tree = treeOf(distinct(given))
        for (const [kind, { item, rank }] of changes) {
          tree = tree.edit([{ item: item, rank, isGone: kind === 'without' }])
        }
        const all = entriesOf(tree)
        expect(tree.size).toBe(all.length)
        expect(tree.positionOf(asked.item, asked.rank)).toBe(
          all.filter(({ item, rank }) => item < asked.item || (item === asked.item && rank < asked.rank))
            .length,
        )
        for (const [at, { item, rank }] of all.entries()) {
          expect([tree.entryAt(at).item, tree.entryAt(at).rank]).toEqual([item, rank])
        }
        const [from, to] = [asked.rank % 50, (asked.rank % 50) + 70]
        expect(tree.ranks(from, to)).toEqual(all.slice(from, to).map(({ rank }) => rank))
      }),
    )
  })

  it('keeps what grows at its end dense, and stays low', () => {
    let tree = Tree.from<IndexKey>(byRank)
    for (let rank = 0; rank < 10_000; rank++) tree = tree.edit([{ item: rank, rank }])
    expect(tree.root.height).toBe(2)
    for (let rank = 0; rank < 9_990; rank++) tree = tree.edit([{ item: undefined, rank, isGone: true }])
    expect(tree.items()).toEqual([9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999])
    expect(tree.root.height).toBeLessThan(2)
  })

  it('has keys of all types in one order', () => {
    const keys: IndexKey[] = [
      Number.POSITIVE_INFINITY,
      -1,
      0,
      2,
      '',
      '10',
      '9',
      'a',
      'ab',
      false,
      true,
      null,
      undefined,
    ]
    let tree = Tree.from<IndexKey>(byKey)
    for (const [rank, key] of keys.entries()) tree = tree.edit([{ item: key, rank }])
    expect(tree.items()).toEqual([
      -1,
      0,
      2,
      Number.POSITIVE_INFINITY,
      '',
      '10',
      '9',
      'a',
      'ab',
      false,
      true,
      null,
      undefined,
    ])
  })
})

describe('what differs between two versions', () => {
  const rows = fc.array(fc.nat({ max: 3 }), { minLength: 100, maxLength: 600 })

  it('is what was changed on the way from one to the other', () => {
    fc.assert(
      fc.property(rows, steps, (given, changes) => {
        const before = Tree.from<number>(byRank, given, [...given.keys()])
        let after = before
        for (const [kind, { item, rank }] of changes) {
          after = after.edit([{ item: item, rank, isGone: kind === 'without' }])
        }
        expect([...diff(before, after)]).toEqual(differences(before, after))
        expect([...diff(after, before)]).toEqual(differences(after, before))
      }),
    )
  })

  const COUNT = 100_000
  const large = () =>
    Tree.from<object>(
      byRank,
      Array.from({ length: COUNT }, () => ({})),
      [...Array(COUNT).keys()],
    )

  it('costs what differs: nobody looks into what both share', () => {
    const before = large()
    const after = before.edit([
      { item: undefined, rank: 7, isGone: true },
      { item: {}, rank: 50_000 },
      { item: {}, rank: COUNT },
    ])
    const others = new Set(nodesOf(after.root))
    const shared = nodesOf(before.root).filter((node) => others.has(node))
    expect(shared.length).toBeGreaterThan(COUNT / 64 - 10)
    for (const node of shared) {
      for (const name of ['items', 'ranks', 'children']) {
        if (!(name in node)) continue
        Object.defineProperty(node, name, {
          get() {
            throw new Error('looked into a node that both share')
          },
        })
      }
    }
    expect([...diff(before, after)].map(({ rank }) => rank)).toEqual([7, 50_000, COUNT])
    expect([...diff(after, before)].map(({ rank }) => rank)).toEqual([7, 50_000, COUNT])
  })

  it('costs what differs, however entries come and go: a few nodes for each', () => {
    const somewhere = fc.tuple(fc.constantFrom('with', 'without'), fc.integer({ min: 0, max: COUNT + 100 }))
    fc.assert(
      fc.property(fc.array(somewhere, { minLength: 1, maxLength: 100 }), (changes) => {
        let after = START
        for (const [kind, rank] of changes) {
          after = after.edit([{ item: {}, rank, isGone: kind === 'without' }])
        }
        seen.clear()
        for (const _ of diff(START, after)) {
          // Counted by the nodes that are looked into.
        }
        // On the way down to a change, and the neighbors that it may join or begin.
        expect(seen.size).toBeLessThan(12 * changes.length + 12)
      }),
      runs(20),
    )
  })

  const START = large()
  const seen = new Set<object>()
  for (const node of nodesOf(START.root)) watch(node)

  /** Notes whoever looks at the entries or the children of a node. */
  function watch(node: Node): void {
    for (const name of ['ranks', 'children']) {
      const value: unknown = Reflect.get(node, name)
      if (value === undefined) continue
      Object.defineProperty(node, name, {
        get() {
          seen.add(node)
          return value
        },
      })
    }
  }
})

function nodesOf(root: Node): readonly Node[] {
  return [root, ...(root instanceof Branch ? root.children.flatMap(nodesOf) : [])]
}

function differences(before: Tree<number>, after: Tree<number>): readonly Difference<number>[] {
  const [old, next] = [before, after].map(
    (tree) => new Map(tree.ranks().map((rank, at) => [rank, tree.entryAt(at).item])),
  )
  const ranks = [...new Set([...before.ranks(), ...after.ranks()])].sort((a, b) => a - b)
  return ranks.flatMap((rank) => {
    const [was, is] = [old?.get(rank), next?.get(rank)]
    if (was === is) return []
    return [{ rank, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
  })
}
