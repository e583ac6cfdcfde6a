import { type Difference, diff } from '../data/diff.ts'
import type { Next } from '../data/store.ts'
import { Table } from '../data/table.ts'
import type { Row } from '../types.ts'
import { addPart, movePart, removePart } from './contents.ts'
import type { StoredPart } from './read-content.ts'
import { RowWriter, textOf } from './row-writer.ts'
import type { Transaction } from './transaction.ts'

/** With more changes than these, and than half of its rows, a collection is rewritten: that is faster. */
const MOST_CHANGES = 2000

/** Writes what differs, under the lock. What is stored may have empty collections that `before` does not know of. */
export async function saveChanges(
  sql: Transaction,
  stored: readonly Omit<StoredPart, 'value'>[],
  { before, after, commits, isDetached }: Next,
): Promise<void> {
  const known = new Map(stored.map((part) => [part.name, part]))
  const isReplaced = isDetached || commits.some(({ effects }) => !effects)
  for (const [name, { part }] of known) {
    const isRemoved = !after.parts.has(name) && (isReplaced || before.parts.has(name))
    if (isRemoved) removePart(sql, part)
  }
  let place = 0
  for (const [name, content] of after.parts) {
    if (content === undefined) continue
    const old = known.get(name)
    const value = content instanceof Table ? undefined : content
    const part = old?.part ?? (await addPart(sql, place, name, value))
    if (old && old.place !== place) movePart(sql, part, place)
    place++
    if (!old) await addRows(sql, part, content)
    else if (isReplaced) await replacePart(sql, part, content)
    else if (before.parts.get(name) !== content) {
      const table = before.table(name)
      if (table && content instanceof Table) await saveRows(sql, part, table, content)
      else await replacePart(sql, part, content)
    }
  }
}

async function replacePart(sql: Transaction, part: number, content: unknown): Promise<void> {
  sql.send('DELETE FROM rows WHERE part = $1', [part])
  const value = content instanceof Table ? null : textOf(content)
  sql.send('UPDATE parts SET value = $2 WHERE part = $1', [part, value])
  await addRows(sql, part, content)
}

async function saveRows(sql: Transaction, part: number, old: Table, table: Table): Promise<void> {
  const most = Math.max(MOST_CHANGES, table.size / 2)
  const changes: Difference<Row>[] = []
  for (const change of diff(old.rows, table.rows)) {
    if (changes.push(change) <= most) continue
    await replacePart(sql, part, table)
    return
  }
  const writer = new RowWriter(sql, part)
  for (const change of changes) {
    if ('after' in change) await writer.put(change.rank, change.after)
    else await writer.remove(change.rank)
  }
  writer.end()
}

async function addRows(sql: Transaction, part: number, content: unknown): Promise<void> {
  if (!(content instanceof Table)) return
  const writer = new RowWriter(sql, part)
  for (const { leaf } of content.rows.leaves()) {
    for (const [at, row] of leaf.items.entries()) await writer.put(leaf.ranks[at] ?? 0, row)
  }
  writer.end()
}
