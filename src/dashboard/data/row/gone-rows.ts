/** A deleted row, and where it would have to come back among those that are there now. */
export interface GoneRow {
  readonly resource: string
  place: number
}

/** Those of each collection, in the order in which they stood. */
const gone = new Map<string, GoneRow[]>()

/** Takes note that the row at this place is gone. What was before it stays before it when both come back. */
export function noteDeletion(resource: string, place: number): GoneRow {
  const row = { resource, place }
  const rows = gone.get(resource) ?? []
  const before = rows.filter((other) => other.place <= place)
  const behind = rows.slice(before.length)
  for (const other of behind) other.place -= 1
  gone.set(resource, [...before, row, ...behind])
  return row
}

/** Takes note that it is back at its place. */
export function noteReturn(row: GoneRow): void {
  const rows = gone.get(row.resource) ?? []
  const index = rows.indexOf(row)
  if (index < 0) return
  for (const other of rows.slice(index + 1)) other.place += 1
  gone.set(row.resource, rows.toSpliced(index, 1))
}
