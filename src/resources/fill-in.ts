import { setField, isObject } from '../json/values.ts'
import type { Row } from '../storage/types.ts'
import type { Outline } from './outline.ts'

/** The row with the defaults of missing fields, also in nested objects and lists, and in what a default made. */
export function fillIn(row: Row, outline: Outline, within: readonly unknown[] = []): Row {
  const filled = { ...row }
  for (const [name, inner] of outline.fields) {
    const { fallback } = inner
    if (Object.hasOwn(row, name)) setField(filled, name, fillValue(row[name], inner, within))
    else if (fallback) setField(filled, name, fallbackOf(fallback.value, inner, within))
  }
  return filled
}

/** A schema may contain itself: a default inside of the same one stays as written. */
function fallbackOf(value: unknown, outline: Outline, within: readonly unknown[]): unknown {
  const copy = structuredClone(value)
  return within.includes(value) ? copy : fillValue(copy, outline, [...within, value])
}

function fillValue(value: unknown, outline: Outline, within: readonly unknown[]): unknown {
  // To copy a list of millions takes half a second.
  if (!outline.mayHoldFallbacks) return value
  if (isObject(value)) return fillIn(value, outline, within)
  const { items } = outline
  return Array.isArray(value) && items ? value.map((entry) => fillValue(entry, items, within)) : value
}

/** The row with the server's fields as they were, or left out. Not in lists, whose entries may have moved. */
export function keepReadOnly(row: Row, old: Row | undefined, outline: Outline): Row {
  const kept = { ...row }
  for (const [name, inner] of outline.fields) {
    const before = old && Object.hasOwn(old, name) ? { value: old[name] } : undefined
    if (!inner.isReadOnly) {
      const value = Object.hasOwn(kept, name) ? kept[name] : undefined
      if (isObject(value))
        setField(kept, name, keepReadOnly(value, isObject(before?.value) ? before.value : undefined, inner))
    } else if (before) setField(kept, name, before.value)
    else delete kept[name]
  }
  return kept
}
