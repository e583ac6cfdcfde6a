import { StorageError } from '../../catalogue/error-classes.ts'
import { carryHidden, hiddenValue, hideFields } from '../access/hidden-fields.ts'
import type { WriteOptions } from '../change.ts'
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

/** A row as it is stored, and as its schema judges it: with what is hidden, as it was sent. */
interface HiddenRow {
  readonly row: Row
  readonly judged: Row
}

interface Sent extends Pick<WriteOptions, 'seals' | 'proof'> {
  /** The fields that the change names: a default of the schema hides nothing. */
  readonly sent: Row
  readonly old?: Row
}

/** Hides what a change puts into hidden fields. What it does not name stays as the old row has it. */
export function hideSent(ruled: Ruled, row: Row, { sent, old, seals = [], proof }: Sent): HiddenRow {
  const { hidden = [], unstored = [], fields = [] } = ruled
  if (hidden.length + unstored.length === 0) return { row, judged: row }
  const named = hidden.filter((name) => Object.hasOwn(sent, name))
  if (old && proof) {
    const { of: known, fault } = proof
    const isProven = named.every((name) => known !== undefined && known === hiddenValue(old, name))
    if (!isProven) refuse([fault.path], fault.message)
  }
  const isLeftOut = (name: string) =>
    hidden.includes(name) ? !named.includes(name) : unstored.includes(name)
  const given = without(row, isLeftOut)
  const stored = new Map(seals)
  const kept = (value: unknown) => stored.get(String(value)) ?? refuse(named, UNSEALED)
  const next = hideFields(old ? carryHidden(given, old) : given, hidden, kept)
  if (named.length === 0) return { row: next, judged: next }
  // A schema need not name what is hidden.
  return { row: next, judged: without(given, (name) => hidden.includes(name) && !fields.includes(name)) }
}

function without(row: Row, isLeftOut: (name: string) => boolean): Row {
  if (!Object.keys(row).some(isLeftOut)) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => !isLeftOut(name)))
}

/** Only what went through the seals is stored. A patch could put there what another field has. */
const UNSEALED = 'must be a string that the request sends as such'

function refuse(names: readonly string[], message: string): never {
  throw new StorageError('VALIDATION_FAILED', `${names.join(', ')} ${message}. Nothing was changed.`, {
    errors: Object.fromEntries(names.map((name) => [name, message])),
  })
}
