export type Container = unknown[] | Record<string, unknown>

/** Whether a value is a list or a plain object. Instances of classes serialize themselves, so a patch cannot look inside. */
export function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isRecord(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Copies what an object carries beside its fields, under symbols. */
export function copySymbols(from: object, to: object): void {
  for (const symbol of Object.getOwnPropertySymbols(from)) Reflect.set(to, symbol, Reflect.get(from, symbol))
}

/** Sets a field whatever its name: a plain assignment to `__proto__` would replace the prototype. */
export function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
