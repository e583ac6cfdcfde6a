import { randomUUID } from 'node:crypto'
import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { randomId } from '../../kernel/util/random-id.ts'
import type { WriteOptions } from '../change.ts'
import type { TableSource } from '../data/database.ts'
import { fieldText, lookup, type RowsByKey } from '../data/lookup.ts'
import type { Row } from '../types.ts'
import type { RuleSet } from './compiled-rules.ts'
import { copyHidden, hiddenValue, hideFields, withoutFields } from './served-fields.ts'

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
  const kept = Object.hasOwn(old, created) ? { ...row, [created]: old[created] } : rest
  return { ...kept, [updated]: now }
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
    const carried = old ? copyHidden(row, old) : row
    return { row: carried, judged: carried }
  }
  const named = hidden.filter((name) => Object.hasOwn(sent, name))
  if (old && proof) {
    const { of: proven, fault } = proof
    const isProven = named.every((name) => proven !== undefined && proven === hiddenValue(old, name))
    if (!isProven) refuseFields([fault.path], fault.message)
  }
  const leftOut = [...hidden, ...unstored].filter((name) => !named.includes(name))
  const visible = withoutFields(row, leftOut)
  const stored = new Map(seals)
  const seal = (value: unknown) => stored.get(String(value)) ?? refuseFields(named, UNSEALED)
  const next = hideFields(old ? copyHidden(visible, old) : visible, hidden, seal)
  if (named.length === 0) return { row: next, judged: next }
  const unruled = hidden.filter((name) => !fields.includes(name))
  return { row: next, judged: withoutFields(visible, unruled) }
}

/** Only sealed values are stored: a patch could copy a value of another field. */
const UNSEALED = 'must be a string that the request sends as such'

function refuseFields(names: readonly string[], message: string): never {
  throw new StorageError('VALIDATION_FAILED', `${names.join(', ')} ${message}. Nothing was changed.`, {
    errors: Object.fromEntries(names.map((name) => [name, message])),
  })
}

export type NewId = (row: Row, highest: unknown, usual: () => unknown) => unknown

/**
 * Makes ids of the configured kind or, where the schema has the id, of the first valid one. Undefined if the engine
 * does.
 */
export function idMaker(ruled: RuleSet, id: string, rows: () => readonly Row[]): NewId | undefined {
  const kind = ruled.ids
  const schema = ruled.fields?.includes(id) ? ruled.schema : undefined
  if (!kind && !schema) return undefined
  let last: number | undefined
  const count = (highest: unknown) => {
    if (typeof highest === 'number') return highest + 1
    last = (last ?? highestNumber(rows(), id)) + 1
    return last
  }
  const texts = { short: () => randomId(7), uuid: () => randomUUID(), nanoid: () => randomId() }

  function* candidates(highest: unknown, usual: () => unknown): Generator<unknown> {
    const isCounted = kind === 'increment' && highest !== undefined && typeof highest !== 'number'
    const first = isCounted ? count(highest) : kind && kind !== 'increment' ? texts[kind]() : usual()
    yield first
    const number = typeof first === 'number' ? first : count(highest)
    if (number !== first) yield number
    if (kind === 'increment') yield String(number)
    for (const make of Object.values(texts)) yield make()
    yield String(number)
  }

  /** An error of the row itself may come from its id: none of the schema's alternatives may fit. */
  const isFitting = (row: Row) =>
    !schema?.faultsOf(row).some(({ path }) => path === '' || path === id || path.startsWith(`${id}.`))

  return (row, highest, usual) => {
    const refused: unknown[] = []
    for (const made of candidates(highest, usual)) {
      if (isFitting({ ...row, [id]: made })) return made
      refused.push(made)
    }
    return refused[0]
  }
}

function highestNumber(rows: readonly Row[], id: string): number {
  let highest = 0
  for (const row of rows) {
    const number = Number(row?.[id])
    if (Number.isSafeInteger(number) && number > highest) highest = number
  }
  return highest
}

/** Returns whether any row or object has an id in one of these fields, such as its owner. */
export async function idsInUse(
  draft: TableSource,
  keysIn: (resource: string) => readonly string[],
): Promise<(id: string) => boolean> {
  const lookups: RowsByKey[] = []
  const ofObjects = new Set<string | undefined>()
  for (const name of draft.names()) {
    for (const field of keysIn(name)) {
      if (draft.kindOf(name) === 'object') ofObjects.add(fieldText(await draft.object(name), field))
      else lookups.push(await lookup(draft, name, field))
    }
  }
  return (id) => ofObjects.has(id) || lookups.some((find) => find(id).length > 0)
}
