import { setField, isObject } from '../json/values.ts'
import type { Texts } from '../storage/resource-rules.ts'
import type { Row } from '../storage/types.ts'
import type { Outline } from './outline.ts'

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
  if (typeof value === 'number') return wantsText(outline) ? String(value) : value
  const { items } = outline
  if (Array.isArray(value)) return items ? value.map((entry) => readValue(entry, items)) : value
  return isObject(value) ? readTexts(value, 'all', outline) : value
}

function readText(text: string, outline: Outline): unknown {
  const { types, items } = outline
  if (types.size === 0 || types.has('string')) return text
  if ((types.has('number') || types.has('integer')) && isNumber(text)) return Number(text)
  if (types.has('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (types.has('null') && text === '') return null
  // A form cannot tell a list of one from a value.
  return types.has('array') ? [items ? readValue(text, items) : text] : text
}

function wantsText({ types }: Outline): boolean {
  return types.has('string') && !types.has('number') && !types.has('integer')
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}
