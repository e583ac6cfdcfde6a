import { StorageError } from '../../catalogue/error-classes.ts'
import type { WriteOptions } from '../change.ts'
import type { Row } from '../types.ts'
import type { RuleSet } from './compiled-rules.ts'
import { carryHidden, hiddenValue, hideFields } from './hidden-fields.ts'

/**
 * Order of steps: read-only fields, defaults if the row is sent whole, owner (`check-access.ts`), id,
 * timestamps.
 */

export function newRow({ schema }: RuleSet, row: Row, keptId?: string): Row {
  if (!schema) return row
  const left = schema.keepReadOnly(row)
  const isKept = keptId !== undefined && Object.hasOwn(row, keptId)
  return schema.fillIn(isKept ? { ...left, [keptId]: row[keptId] } : left)
}

export function nextRow({ schema }: RuleSet, old: Row, row: Row, isWhole: boolean): Row {
  if (!schema) return row
  const kept = schema.keepReadOnly(row, old)
  return isWhole ? schema.fillIn(kept) : kept
}

/** Always another object: a row that was written counts as changed. */
export function withIdOf(old: Row, fields: Row, id: string): Row {
  const isOwn = Object.hasOwn(old, id)
  if (isOwn && fields !== old && fields[id] === old[id] && Object.hasOwn(fields, id)) return fields
  if (isOwn) return { ...fields, [id]: old[id] }
  const { [id]: _, ...others } = fields
  return others
}

export function withTimestamps(
  { timestamps }: RuleSet,
  moment: { readonly now: string },
  row: Row,
  old?: Row,
): Row {
  if (!timestamps) return row
  const { created, updated } = timestamps
  const { [created]: _, ...rest } = row
  const { now } = moment
  if (!old) return { ...rest, [created]: now, [updated]: now }
  return { ...rest, ...(Object.hasOwn(old, created) && { [created]: old[created] }), [updated]: now }
}

interface Sent extends Pick<WriteOptions, 'seals' | 'proof'> {
  /** The fields that the change sends: a default of the schema hides nothing. */
  readonly sent: Row
  readonly old?: Row
}

/** Hides what a change sends for hidden fields; others stay as in the old row. `judged` has them as they were sent. */
export function hideSent(
  ruled: RuleSet,
  row: Row,
  { sent, old, seals = [], proof }: Sent,
): { readonly row: Row; readonly judged: Row } {
  const { hidden = [], unstored = [], fields = [] } = ruled
  if (hidden.length + unstored.length === 0) {
    const carried = old ? carryHidden(row, old) : row
    return { row: carried, judged: carried }
  }
  const named = hidden.filter((name) => Object.hasOwn(sent, name))
  if (old && proof) {
    const { of: proven, fault } = proof
    const isProven = named.every((name) => proven !== undefined && proven === hiddenValue(old, name))
    if (!isProven) refuseFields([fault.path], fault.message)
  }
  const isLeftOut = (name: string) =>
    hidden.includes(name) ? !named.includes(name) : unstored.includes(name)
  const visible = without(row, isLeftOut)
  const stored = new Map(seals)
  const seal = (value: unknown) => stored.get(String(value)) ?? refuseFields(named, UNSEALED)
  const next = hideFields(old ? carryHidden(visible, old) : visible, hidden, seal)
  if (named.length === 0) return { row: next, judged: next }
  return { row: next, judged: without(visible, (name) => hidden.includes(name) && !fields.includes(name)) }
}

function without(row: Row, isLeftOut: (name: string) => boolean): Row {
  if (!Object.keys(row).some(isLeftOut)) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => !isLeftOut(name)))
}

/** Only sealed values are stored: a patch could copy a value of another field. */
const UNSEALED = 'must be a string that the request sends as such'

function refuseFields(names: readonly string[], message: string): never {
  throw new StorageError('VALIDATION_FAILED', `${names.join(', ')} ${message}. Nothing was changed.`, {
    errors: Object.fromEntries(names.map((name) => [name, message])),
  })
}
