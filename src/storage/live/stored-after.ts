import { Database, type Part } from '../data/database.ts'
import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import { diff } from '../data/tree.ts'
import { asStored } from '../rules/served-fields.ts'

/**
 * What is stored after a change of an engine: with hidden fields, and without computed ones.
 * @param stored before the change, with the same ranks
 */
export function storedAfter(stored: Database, { before, after }: Pick<Next, 'before' | 'after'>): Database {
  const parts = [...after.parts].map(([name, part]): [string, Part] => {
    const old = before.parts.get(name)
    if (part === old) return [name, stored.parts.get(name)]
    if (!(part instanceof Table)) return [name, part]
    const table = stored.table(name)
    return [name, old instanceof Table && table ? editedTable(table, old, part) : storedTable(part)]
  })
  return new Database(new Map(parts))
}

function editedTable(table: Table, before: Table, after: Table): Table {
  const edits = Array.from(diff(before.rows, after.rows), ({ rank, after: row }) => ({
    rank,
    after: row && asStored(row),
  }))
  return table.edit(edits)
}

function storedTable(table: Table): Table {
  const rows = table.rows.items()
  const stored = rows.map(asStored)
  return stored.every((row, at) => row === rows[at]) ? table : Table.of(stored, table.rows.ranks())
}
