/** A deleted row, and the index at which to restore it among the current rows. */
export interface GoneRow {
  readonly resource: string
  place: number
}

/** Deleted rows per collection, in their original order. */
const gone = new Map<string, GoneRow[]>()

/** Records the deletion of the row at this index. Restored rows keep their original order. */
export function noteDeletion(resource: string, place: number): GoneRow {
  const row = { resource, place }
  const rows = gone.get(resource) ?? []
  const before = rows.filter((other) => other.place <= place)
  const behind = rows.slice(before.length)
  for (const other of behind) other.place -= 1
  gone.set(resource, [...before, row, ...behind])
  return row
}

/** Records that the row is back. */
export function noteReturn(row: GoneRow): void {
  const rows = gone.get(row.resource) ?? []
  const index = rows.indexOf(row)
  if (index < 0) return
  for (const other of rows.slice(index + 1)) other.place += 1
  gone.set(row.resource, rows.toSpliced(index, 1))
}
