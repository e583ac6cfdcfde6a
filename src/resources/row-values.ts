import { isObject, setField } from '../json/values.ts'
import type { Texts } from '../storage/resource-rules.ts'
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
  const result = { ...row }
  for (const [name, inner] of outline.fields) {
    const before = old && Object.hasOwn(old, name) ? { value: old[name] } : undefined
    if (!inner.isReadOnly) {
      const value = Object.hasOwn(result, name) ? result[name] : undefined
      if (isObject(value))
        setField(result, name, keepReadOnly(value, isObject(before?.value) ? before.value : undefined, inner))
    } else if (before) setField(result, name, before.value)
    else delete result[name]
  }
  return result
}

/** Reads the texts of a path or a form as what the schema asks for. What cannot be read stays, and fails the check. */
export function readTexts(fields: Row, which: Texts, outline: Outline): Row {
  const read = { ...fields }
  for (const name of which === 'all' ? Object.keys(fields) : which) {
    const inner = outline.fields.get(name)
    if (inner && Object.hasOwn(fields, name)) setField(read, name, readValue(fields[name], inner))
  }
  return read
}

function readValue(value: unknown, outline: Outline): unknown {
  if (typeof value === 'string') return readText(value, outline)
  // The id in a path, which is read as a number where rows have numbers.
  const { items, types } = outline
  const isText = types.has('string') && !types.has('number') && !types.has('integer')
  if (typeof value === 'number') return isText ? String(value) : value
  if (Array.isArray(value)) return items ? value.map((entry) => readValue(entry, items)) : value
  return isObject(value) ? readTexts(value, 'all', outline) : value
}

function readText(text: string, outline: Outline): unknown {
  const { types, items } = outline
  if (types.size === 0 || types.has('string')) return text
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  if (isNumber && (types.has('number') || types.has('integer'))) return Number(text)
  if (types.has('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (types.has('null') && text === '') return null
  // A form cannot tell a list of one from a value.
  return types.has('array') ? [items ? readValue(text, items) : text] : text
}
