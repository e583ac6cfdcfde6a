import { Pace } from '../../work/pace.ts'
import { compilePath, hasPath } from '../query/path.ts'
import type { Row } from '../types.ts'
import type { Derivation } from './derived.ts'
import type { Table } from './table.ts'
import type { Tree } from './tree.ts'

/** Whether any row has a path, even if its value is null. If none has it, that takes a look at all rows, once. */
export function hasField(table: Table, path: string): boolean | Promise<boolean> {
  return table.derive({
    name: `has ${path}`,
    build: (rows) => someRow(rows, hasIt(path)),
    update(isThere, changes) {
      const has = hasIt(path)
      if (changes.some(({ after }) => after !== undefined && has(after))) return true
      const isLost = isThere && changes.some(({ before }) => before !== undefined && has(before))
      return isLost ? undefined : isThere
    },
  })
}

function hasIt(text: string): (row: Row) => boolean {
  const path = compilePath(text)
  return (row) => hasPath(row, path)
}

export const FIELD_NAMES: Derivation<ReadonlySet<string>> = {
  name: 'names',
  async build(rows) {
    const names = new Set<string>()
    await someRow(rows, (row) => {
      for (const name of Object.keys(Object(row))) names.add(name)
      return false
    })
    return names
  },
  update: () => undefined,
}

function someRow(rows: Tree<Row>, passes: (row: Row) => boolean): boolean | Promise<boolean> {
  const first = rows.itemAt(0)
  return (first !== undefined && passes(first)) || (rows.size > 1 && someOther(rows, passes))
}

async function someOther(rows: Tree<Row>, passes: (row: Row) => boolean): Promise<boolean> {
  const pace = new Pace()
  for (const { leaf } of rows.leaves()) {
    for (const row of leaf.items) {
      if (passes(row as Row)) return true
      if (pace.isDue) await pace.turn()
    }
  }
  return false
}
