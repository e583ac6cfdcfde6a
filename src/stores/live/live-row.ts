import { deepCopy, isObject, toJsonValue } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'

/** Whether a copy is still equal, whatever the order of fields. Runs on all rows before each read, so it must be fast. */
export function isCopyOf(value: unknown, copy: unknown): boolean {
  if (value === copy) return true
  if (typeof value !== 'object' || value === null) return Object.is(value, copy)
  if (Array.isArray(value)) {
    if (!Array.isArray(copy) || value.length !== copy.length) return false
    for (let at = 0; at < value.length; at++) if (!isCopyOf(value[at], copy[at])) return false
    return true
  }
  if ('toJSON' in value) return isCopyOfInstance(value, copy)
  return isObject(copy) && isCopyOfObject(value as Record<string, unknown>, copy)
}

function isCopyOfInstance(value: object, copy: unknown): boolean {
  if (value instanceof Date) return copy instanceof Date && Object.is(value.getTime(), copy.getTime())
  const fields = value as Record<string, unknown>
  const sent = toJsonValue(fields)
  if (sent !== value) return isCopyOf(sent, copy)
  return isObject(copy) && isCopyOfObject(fields, copy)
}

/** `for…in` is three times as fast as comparing `Object.keys`. */
function isCopyOfObject(value: Record<string, unknown>, copy: Record<string, unknown>): boolean {
  let count = 0
  for (const name in copy) {
    const [own, copied] = [value[name], copy[name]]
    if (own !== copied && !isCopyOf(own, copied)) return false
    if (own === undefined && !Object.hasOwn(value, name)) return false
    count++
  }
  let others = -count
  for (const _ in value) others++
  // A prototype may have enumerable fields.
  return others === 0 || Object.keys(value).length === count
}

/** The id of a row, or a plain value itself. */
export function keyOf(row: unknown, id: string): unknown {
  const sent = isObject(row) ? toJsonValue(row) : row
  return isObject(sent) ? sent[id] : sent
}

/**
 * The owner's row or object after a change: the same one, changed in place, since others may hold it, too. Its other fields
 * stay as they are. A new one if that is impossible, or would not send the change.
 */
export function changedRow(own: unknown, before: unknown, after: unknown): unknown {
  if (!isObject(own) || !Object.isExtensible(own) || !isObject(before) || !isObject(after))
    return deepCopy(after)
  return attempt(() => setFields(own, before, after)) ? own : deepCopy(after)
}

function setFields(
  own: Record<string, unknown>,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): boolean {
  const [olds, nexts] = [Object.keys(before), Object.keys(after)]
  const gone = olds.filter((name) => !Object.hasOwn(after, name))
  const changed = nexts.filter((name) => !Object.hasOwn(before, name) || !isCopyOf(after[name], before[name]))
  if (!gone.every((name) => Reflect.deleteProperty(own, name))) return false
  if (!changed.every((name) => assign(own, name, deepCopy(after[name])))) return false
  const left = olds.filter((name) => Object.hasOwn(after, name))
  if (!left.every((name, at) => name === nexts[at]) && !putInOrder(own, nexts)) return false
  const sent = toJsonValue(own)
  return [...gone, ...changed].every((name) => isCopyOf(Object(sent)[name], after[name]))
}

/** As they are in the response. Fields that only the owner's row has are the last ones. */
function putInOrder(own: object, names: readonly string[]): boolean {
  return [...new Set([...names, ...Object.keys(own)])].every((name) => {
    const field = Object.getOwnPropertyDescriptor(own, name)
    return !field || (Reflect.deleteProperty(own, name) && Reflect.defineProperty(own, name, field))
  })
}

/** False if the object does not take it. A setter of the owner's may throw. */
export function assign(object: object, name: string, value: unknown): boolean {
  const field = { value, writable: true, enumerable: true, configurable: true }
  // A setter of its class may keep it where only toJSON looks.
  const isSent = () => Object.hasOwn(object, name) || 'toJSON' in object
  const isSet = name !== '__proto__' && attempt(() => Reflect.set(object, name, value)) && isSent()
  return isSet || attempt(() => Reflect.defineProperty(object, name, field)) === true
}
