/** A deleted row, and the index at which to restore it among the current rows. */
export interface DeletedRow {
  readonly resource: string
  index: number
}

/** Deleted rows per collection, in their original order. */
const deletedRows = new Map<string, DeletedRow[]>()

/** Records the deletion of the row at this index. Restored rows keep their original order. */
export function recordDeletion(resource: string, index: number): DeletedRow {
  const row = { resource, index }
  const rows = deletedRows.get(resource) ?? []
  const before = rows.filter((other) => other.index <= index)
  const behind = rows.slice(before.length)
  for (const other of behind) other.index -= 1
  deletedRows.set(resource, [...before, row, ...behind])
  return row
}

export function recordRestore(row: DeletedRow): void {
  const rows = deletedRows.get(row.resource) ?? []
  const index = rows.indexOf(row)
  if (index < 0) return
  for (const other of rows.slice(index + 1)) other.index += 1
  deletedRows.set(row.resource, rows.toSpliced(index, 1))
}
