import { asSent, deepCopy, isObject, isRecord, setField } from '../../json/values.ts'
import { attempt } from '../../util/attempt.ts'
import type { Row } from '../types.ts'
import { isCopyOf } from './copied-rows.ts'
import type { Changed, Copied, ListChange } from './list-change.ts'
import { idOf, type Placed, Positions, pair, place } from './pair.ts'
import { inOneGo } from './steps.ts'

interface Merging {
  readonly id: string
  /** Ids of rows that the owner read from the store: they are what the change adds, as it was stored. */
  readonly loaded: ReadonlySet<unknown> | undefined
  readonly change: (own: unknown, change: Changed) => unknown
}

interface MergedList {
  /** What the owner's list gets. */
  readonly rows: readonly unknown[]
  /** The rows among them that have copies, in the order of these. */
  readonly copied: readonly unknown[]
}

/** In place of a row that the owner removed. */
const REMOVED = Symbol('removed')

/**
 * Changes a list whose owner may have added, moved, replaced or removed rows since it was copied. What the owner removed stays
 * away, and a new row that is there already is not added again.
 */
export function mergeList(
  list: readonly unknown[],
  base: Copied,
  { slots, changed, removed }: ListChange,
  { id, loaded, change }: Merging,
): MergedList {
  const isUntouched = list.length === base.list.length && list.every((row, at) => row === base.list[at])
  const positions = isUntouched ? undefined : inOneGo(pair(base.list, list, id, base.table.rows.items()))
  const positionOf = (at: number) => (positions ? positions[at] : at)
  const rows = list.slice()
  for (const [at, each] of changed) {
    const position = positionOf(at)
    if (position !== undefined) rows[position] = change(list[position], each)
  }
  if (!positions) {
    const copied = slots.map((slot) => (typeof slot === 'number' ? rows[slot] : slot.row))
    return { rows: copied, copied }
  }
  const found = new Set(positions)
  const others = new Positions(list, 0, list.length, (row, at) => (found.has(at) ? undefined : idOf(row, id)))
  const added: Placed<unknown>[] = []
  const copied = slots.map((slot, position) => {
    if (typeof slot === 'number') {
      const at = positionOf(slot)
      return at === undefined ? REMOVED : rows[at]
    }
    const key = idOf(slot.copy, id)
    const there = list[others.take(key) ?? -1]
    if (there !== undefined && (loaded?.has(key) || isCopyOf(there, slot.copy))) return there
    added.push({ position, item: slot.row })
    return slot.row
  })
  const gone = new Set([...removed].map(positionOf))
  return { rows: place(rows, gone, added), copied }
}

/**
 * Changes a row or an object of the owner in place, as json-server does: others may hold it, too. What he changed since it was
 * copied stays, unless the change is about it. False if that is impossible, or it would not send what was changed.
 */
export function changeInPlace(own: unknown, { known, copy, fields, isInOrder }: Changed): boolean {
  if (!isObject(own) || !Object.isExtensible(own) || !isObject(known) || !isObject(copy)) return false
  const isDone = fields.every((name) => {
    if (!Object.hasOwn(copy, name)) return attempt(() => Reflect.deleteProperty(own, name))
    const [mine, old, next] = fieldsOf(name, own, known, copy)
    const value = merged(mine, old, next)
    return value === mine || assign(own, name, value)
  })
  const isPut = isDone && (isInOrder || attempt(() => putInOrder(own, Object.keys(copy))))
  if (!isPut) return false
  const sent = asSent(own)
  const isSent = (name: string) =>
    isCopyOf(Object(sent)[name], Object.hasOwn(copy, name) ? own[name] : undefined)
  return sent === own || fields.every(isSent)
}

/** As they are in the response. Those that only the owner has are the last ones. */
function putInOrder(own: object, names: readonly string[]): boolean {
  return [...new Set([...names, ...Object.keys(own)])].every((name) => {
    const field = Object.getOwnPropertyDescriptor(own, name)
    return !field || (Reflect.deleteProperty(own, name) && Reflect.defineProperty(own, name, field))
  })
}

/** False if the object does not take it. Code of its owner, such as a setter, may throw: it is stored already. */
export function assign(object: object, name: string, value: unknown): boolean {
  const field = { value, writable: true, enumerable: true, configurable: true }
  // A setter of its class may keep it where only toJSON looks.
  const isSent = () => Object.hasOwn(object, name) || 'toJSON' in object
  const isSet = name !== '__proto__' && attempt(() => Reflect.set(object, name, value)) && isSent()
  return isSet || attempt(() => Reflect.defineProperty(object, name, field)) === true
}

function fieldsOf(name: string, ...objects: readonly Record<string, unknown>[]): readonly unknown[] {
  return objects.map((each) => (Object.hasOwn(each, name) ? each[name] : undefined))
}

/** What the owner has, with what was changed beside it since both had the same; where both changed it, that stays. */
export function merged(own: unknown, base: unknown, changed: unknown): unknown {
  if (isCopyOf(changed, base)) return own
  if (isCopyOf(own, base) || !isRecord(own) || !isRecord(base) || !isRecord(changed)) return deepCopy(changed)
  if (asSent(own) !== own) return deepCopy(changed)
  const row: Row = {}
  for (const name of new Set([...Object.keys(changed), ...Object.keys(own)])) {
    const [mine, old, next] = fieldsOf(name, own, base, changed)
    const value = merged(mine, old, next)
    if (value !== undefined) setField(row, name, value)
  }
  return row
}
