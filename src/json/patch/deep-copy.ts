import { copySymbols, isRecord, setField } from './container.ts'

/** A deep copy. Users may change rows of live data in place, so two fields must never share an object. */
export function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setField(copy, name, deepCopy(value[name]))
  copySymbols(value, copy)
  return copy
}
