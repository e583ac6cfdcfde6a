/** Whatever is written as an object: no array, but maybe a class instance. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A plain object, from this realm or another: no class instance, which serializes itself, and no Date. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Sets a field whatever its name: a plain assignment to `__proto__` would replace the prototype. */
export function setField(object: object, name: string, value: unknown): void {
  if (name !== '__proto__') (object as Record<string, unknown>)[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
