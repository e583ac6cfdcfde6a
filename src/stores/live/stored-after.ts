import { Database, type Part } from '../../core/engine/data/database.ts'
import type { PreparedCommit } from '../../core/engine/data/store.ts'
import { Table } from '../../core/engine/data/table.ts'
import { diff } from '../../core/engine/data/tree.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'

/**
 * The stored data after a change of an engine: with hidden fields, and without computed ones.
 * @param stored before the change, with the same ranks
 */
export function storedAfter(
  stored: Database,
  { before, after }: Pick<PreparedCommit, 'before' | 'after'>,
): Database {
  const parts = [...after.parts].map(([name, part]): [string, Part] => {
    const old = before.parts.get(name)
    if (part === old) return [name, stored.parts.get(name)]
    if (!(part instanceof Table)) return [name, part]
    const edits = Array.from(
      diff((before.table(name) ?? Table.EMPTY).rows, part.rows),
      ({ rank, after: row }) => ({
        rank,
        after: row && toStoredRow(row),
        isStored: row === undefined || toStoredRow(row) === row,
      }),
    )
    const isStored = stored.parts.get(name) === old && edits.every((edit) => edit.isStored)
    return [name, isStored ? part : (stored.table(name) ?? Table.EMPTY).edit(edits)]
  })
  return new Database(new Map(parts))
}
