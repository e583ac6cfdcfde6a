import { isRecord } from '../../json/values.ts'
import { Pace } from '../../util/pace.ts'
import { compilePath, hasPath } from '../query/path.ts'
import type { Derivation } from './derived.ts'
import type { Table } from './table.ts'
import type { Tree } from './tree.ts'
import { Branch, type Node } from './tree-nodes.ts'

/** Even if its value is null. */
export function hasField(table: Table, path: string): boolean | Promise<boolean> {
  let node: Node | undefined = table.rows.root
  while (node instanceof Branch) node = node.children[0]
  const first = node?.items[0]
  // The first row nearly always decides.
  if (typeof first === 'object' && first !== null && Object.hasOwn(first, path)) return true
  if (NESTED.test(path)) return table.derive(hasNested(path))
  const names = table.derive(FIELD_NAMES)
  return names instanceof Promise ? names.then((counts) => counts.has(path)) : names.has(path)
}

const NESTED = /[.[]/

function hasNested(text: string): Derivation<boolean> {
  const path = compilePath(text)
  return {
    name: `has ${text}`,
    build: (rows) => someRow(rows, (row) => hasPath(row, path)),
    update(isThere, changes) {
      if (changes.some(({ after }) => after !== undefined && hasPath(after, path))) return true
      const isLost = isThere && changes.some(({ before }) => before !== undefined && hasPath(before, path))
      return isLost ? undefined : isThere
    },
  }
}

/** Beyond it, counting again takes no longer. */
const MOST_NAMES = 1000

/** Rows per field: a query may name thousands that no row has. */
const FIELD_NAMES: Derivation<ReadonlyMap<string, number>> = {
  name: 'names',
  async build(rows) {
    const names = new Map<string, number>()
    await someRow(rows, (row) => count(names, row, 1))
    return names
  },
  update(counts, changes) {
    if (counts.size > MOST_NAMES) return undefined
    const names = new Map(counts)
    for (const { before, after } of changes) {
      if (before !== undefined) count(names, before, -1)
      if (after !== undefined) count(names, after, 1)
    }
    return names
  },
}

/** Always false, so that `someRow` continues. */
function count(names: Map<string, number>, row: unknown, by: 1 | -1): boolean {
  const own = isRecord(row) ? Object.keys(row) : Object.getOwnPropertyNames(Object(row))
  for (const name of own) {
    const rows = (names.get(name) ?? 0) + by
    if (rows > 0) names.set(name, rows)
    else names.delete(name)
  }
  return false
}

async function someRow(rows: Tree<unknown>, passes: (row: unknown) => boolean): Promise<boolean> {
  const pace = new Pace()
  for (const leaf of rows.leaves()) {
    for (const row of leaf.items) {
      if (passes(row)) return true
      if (pace.isDue) await pace.turn()
    }
  }
  return false
}
