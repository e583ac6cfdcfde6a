/** Not an array, but maybe a class instance. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A plain object of any realm: no class instance, which serializes itself, and no Date. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Assigning to `__proto__` would replace the prototype. */
export function setField(object: object, name: string, value: unknown): void {
  if (name !== '__proto__') (object as Record<string, unknown>)[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Includes symbols and dates; of other class instances, what is sent of them. Users may change live rows in place, so two
 * fields must never share an object.
 */
export function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (!isObject(value)) return value
  if (value instanceof Date) return new Date(value)
  const sent = toJsonValue(value)
  if (sent !== value) return deepCopy(sent)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setField(copy, name, deepCopy(value[name]))
  for (const symbol of Object.getOwnPropertySymbols(value))
    Reflect.set(copy, symbol, Reflect.get(value, symbol))
  return copy
}

/** The value that `JSON.stringify` writes for an object. `toJSON` is called once: its result may have the same method. */
export function toJsonValue(value: Record<string, unknown>): unknown {
  if (typeof value.toJSON !== 'function') return value
  const sent: unknown = value.toJSON('')
  if (!isObject(sent)) return sent
  const { toJSON: _, ...fields } = sent
  return fields
}

/** In any order of keys. The work is bounded by the smaller value. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b || toScalar(a) === toScalar(b)
  }
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    const isList = Array.isArray(a) && Array.isArray(b) && a.length === b.length
    return isList && a.every((part, at) => isSameJson(part, b[at]))
  }
  const [keys, otherKeys] = [keysOf(a), keysOf(b)]
  return (
    keys.length === otherKeys.length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}

/** As in JSON, where neither undefined nor infinite numbers exist. */
function toScalar(value: unknown): unknown {
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value
}

function keysOf(value: object): readonly string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined)
}
