import type { Database } from '../../../core/engine/data/database.ts'
import { byId } from '../../../core/engine/data/lookup.ts'
import { Table } from '../../../core/engine/data/table.ts'
import type { Row } from '../../../core/engine/types.ts'
import { isSameJson } from '../../../core/kernel/json/values.ts'

export interface RowsToStore {
  readonly collection: string
  readonly rows: readonly Row[]
  /** The name of the id here. */
  readonly id: string
  /** Given if they take the place of those that are there: the fields that stay all the same. */
  readonly keeping?: readonly string[] | undefined
}

/** The database with rows added at the end, and changed where their ids are there. Itself if nothing changes. */
export async function storeRows(newest: Database, stored: RowsToStore): Promise<Database> {
  const { collection, rows, id, keeping } = stored
  const table = newest.table(collection) ?? Table.EMPTY
  const find = await byId(table, id)
  const edited = new Map<number, Row>()
  const added = new Map<string, Row>()
  for (const row of rows) {
    const text = String(row[id])
    const found = find(text)
    if (!found) {
      added.set(text, { ...added.get(text), ...row })
      continue
    }
    const before = edited.get(found.rank) ?? found.row
    const kept = keeping?.flatMap((key) => (Object.hasOwn(before, key) ? [[key, before[key]] as const] : []))
    const after = kept ? { ...row, ...Object.fromEntries(kept) } : { ...before, ...row }
    if (!isSameJson(before, after)) edited.set(found.rank, after)
  }
  const edits = [...edited].sort(([a], [b]) => a - b).map(([rank, after]) => ({ rank, after }))
  const next = table.edit(edits).withAt(Number.POSITIVE_INFINITY, [...added.values()])
  return next === table && newest.table(collection) ? newest : newest.with(collection, next)
}

export async function removeRow(
  newest: Database,
  collection: string,
  id: string,
  text: string,
): Promise<Database> {
  const table = newest.table(collection)
  const found = table && (await byId(table, id))(text)
  return found ? newest.with(collection, table.edit([{ rank: found.rank }])) : newest
}
