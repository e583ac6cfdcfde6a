import { type Difference, diff } from '../../data/diff.ts'
import type { Next } from '../../data/store.ts'
import { Table } from '../../data/table.ts'
import type { Row } from '../../types.ts'
import type { Sql } from '../link/sql.ts'
import { addPart, movePart, removePart } from './contents.ts'
import type { StoredPart } from './read-content.ts'
import { RowChanger, RowCopier, textOf } from './row-writer.ts'
import type { Tables } from './tables.ts'

/** With more changes than these, and than half of its rows, a collection is rewritten: that is faster. */
const MOST_CHANGES = 2000

/**
 * Writes what differs between two versions of the data, in a transaction that holds the lock.
 * @param stored what is in the database, which may have empty collections that `before` does not know of
 */
export async function saveChanges(
  sql: Sql,
  tables: Tables,
  stored: readonly Omit<StoredPart, 'value'>[],
  { before, after, commits, isDetached }: Next,
): Promise<void> {
  const known = new Map(stored.map((part) => [part.name, part]))
  const isReplaced = isDetached || commits.some(({ effects }) => !effects)
  for (const [name, { part }] of known) {
    const isRemoved = !after.parts.has(name) && (isReplaced || before.parts.has(name))
    if (isRemoved) removePart(sql, tables, part)
  }
  let place = 0
  for (const [name, content] of after.parts) {
    if (content === undefined) continue
    const old = known.get(name)
    const value = content instanceof Table ? undefined : content
    const part = old?.part ?? (await addPart(sql, tables, { place, name, value }))
    if (old && old.place !== place) movePart(sql, tables, part, place)
    place++
    if (!old) {
      if (content instanceof Table) await copyRows(sql, tables, part, content)
    } else if (isReplaced) {
      await replacePart(sql, tables, part, content)
    } else if (before.parts.get(name) !== content) {
      const table = before.table(name)
      if (table && content instanceof Table) await saveRows(sql, tables, part, table, content)
      else await replacePart(sql, tables, part, content)
    }
  }
}

async function replacePart(sql: Sql, tables: Tables, part: number, content: unknown): Promise<void> {
  const isTable = content instanceof Table
  sql.send(`DELETE FROM ${tables.rows} WHERE part = $1`, [part])
  sql.send(`UPDATE ${tables.parts} SET value = $2 WHERE part = $1`, [part, isTable ? null : textOf(content)])
  if (isTable) await copyRows(sql, tables, part, content)
}

async function saveRows(sql: Sql, tables: Tables, part: number, old: Table, table: Table): Promise<void> {
  const most = Math.max(MOST_CHANGES, table.size / 2)
  const changes: Difference<Row>[] = []
  for (const change of diff(old.rows, table.rows)) {
    if (changes.push(change) <= most) continue
    await replacePart(sql, tables, part, table)
    return
  }
  const changer = new RowChanger(sql, tables, part)
  for (const change of changes) {
    if ('after' in change) await changer.put(change.rank, change.after)
    else await changer.remove(change.rank)
  }
  changer.end()
}

async function copyRows(sql: Sql, tables: Tables, part: number, { rows }: Table): Promise<void> {
  const copier = new RowCopier(sql, tables, part)
  for (const { leaf } of rows.leaves()) {
    for (const [at, row] of leaf.items.entries()) await copier.add(leaf.ranks[at] ?? 0, row)
  }
  await copier.end()
}
