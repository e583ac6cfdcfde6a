import type { Row } from '../types.ts'
import type { Ruled } from './compiled-rules.ts'

/*
 * What becomes of what a client sends, in this order: fields that only the server sets are left out, defaults filled in
 * where the row is sent whole, then owner (`view/guard.ts`), id and timestamps.
 */

/** A new row, before it gets its id. */
export function newRow({ schema }: Ruled, row: Row, keptId?: string): Row {
  if (!schema) return row
  const left = schema.keepReadOnly(row)
  const isKept = keptId !== undefined && Object.hasOwn(row, keptId)
  return schema.fillIn(isKept ? { ...left, [keptId]: row[keptId] } : left)
}

export function nextRow({ schema }: Ruled, old: Row, row: Row, isWhole: boolean): Row {
  if (!schema) return row
  const kept = schema.keepReadOnly(row, old)
  return isWhole ? schema.fillIn(kept) : kept
}

/** The same with its timestamps, whatever the client sent. */
export function stamped({ timestamps }: Ruled, moment: { readonly now: string }, row: Row, old?: Row): Row {
  if (!timestamps) return row
  const { created, updated } = timestamps
  const { [created]: _, ...rest } = row
  const { now } = moment
  if (!old) return { ...rest, [created]: now, [updated]: now }
  return { ...rest, ...(Object.hasOwn(old, created) && { [created]: old[created] }), [updated]: now }
}
