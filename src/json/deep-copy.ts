import { isRecord, setField } from './record.ts'

/** With what objects carry under symbols. Users may change live rows in place, so two fields must never share an object. */
export function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setField(copy, name, deepCopy(value[name]))
  for (const symbol of Object.getOwnPropertySymbols(value))
    Reflect.set(copy, symbol, Reflect.get(value, symbol))
  return copy
}
