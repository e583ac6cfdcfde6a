import { parseJson } from '../../parts/parse-json.ts'
import { isNested, isObject } from '../../parts/preview.ts'
import type { Row } from '../rows.ts'

/** How a field is edited: scalars in an input, the rest as JSON. */
type FieldKind = 'text' | 'number' | 'boolean' | 'json'

export interface FormField {
  readonly name: string
  readonly kind: FieldKind
  /** What the input holds. */
  readonly text: string
  /** What it held at first: unchanged fields are not sent. */
  readonly initial: string
  /** Whether the value was null, so that an empty input means null again. */
  readonly isNull: boolean
}

/** Longer strings are better off in the JSON editor than in a one-line input. */
const LONGEST = 100_000

export function toField(name: string, value: unknown): FormField {
  const kind = kindOf(value)
  const text = kind === 'json' ? JSON.stringify(value, null, 2) : value === null ? '' : String(value)
  return { name, kind, text, initial: text, isNull: value === null }
}

/** An empty field of the same kind as another row's. */
export function toBlankField(name: string, example: unknown): FormField {
  const kind = kindOf(example)
  const text = kind === 'json' ? (Array.isArray(example) ? '[]' : '{}') : kind === 'boolean' ? 'false' : ''
  return { name, kind, text, initial: kind === 'json' || kind === 'boolean' ? '' : text, isNull: false }
}

/** The value in the input, or what is wrong with it. */
export function readField({ kind, text, isNull }: FormField): { value: unknown } | { fault: string } {
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'json') {
    const parsed = parseJson(text)
    return parsed.fault ? { fault: 'is not JSON' } : { value: parsed.value }
  }
  if (text === '' && (isNull || kind === 'number')) return { value: null }
  if (kind === 'text') return { value: text }
  return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: 'is not a number' }
}

/** The fields that were changed, as an object to send; or the first fault. */
export function changedFields(fields: readonly FormField[]): { row: Row } | { fault: string } {
  const entries: [string, unknown][] = []
  for (const field of fields) {
    if (field.text === field.initial) continue
    const read = readField(field)
    if ('fault' in read) return { fault: `${field.name} ${read.fault}` }
    entries.push([field.name, read.value])
  }
  // `fromEntries`, because a field may be called `__proto__`.
  return { row: Object.fromEntries(entries) }
}

/** The row in a JSON text, or why there is none. */
export function readRow(json: string): { row: Row; fault?: never } | { row?: never; fault: string } {
  const { value, fault } = parseJson(json)
  if (fault) return { fault: 'This is not JSON yet: see the line below the editor.' }
  return isObject(value) ? { row: value } : { fault: 'A row must be a JSON object: { … }' }
}

/** The JSON text with the form's changes applied; unchanged if there are none. */
export function jsonFromFields(fields: readonly FormField[], json: string): Moved {
  const changed = changedFields(fields)
  if ('fault' in changed) return changed
  const { value } = parseJson(json)
  if (Object.keys(changed.row).length === 0) return {}
  return { json: JSON.stringify({ ...(isObject(value) && value), ...changed.row }, null, 2) }
}

/** The form with the JSON text's changes applied. */
export function fieldsFromJson(json: string, fields: readonly FormField[]): Moved {
  const read = readRow(json)
  if (read.fault !== undefined) return read
  const values = read.row
  const known = fields.map((field) => {
    if (!Object.hasOwn(values, field.name)) return field
    const { kind, text, isNull } = toField(field.name, values[field.name])
    return { ...field, kind, text, isNull }
  })
  return { fields: known }
}

interface Moved {
  readonly fields?: readonly FormField[]
  readonly json?: string
  readonly fault?: string
}

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean'
  if (isNested(value)) return 'json'
  return typeof value === 'string' && value.length > LONGEST ? 'json' : 'text'
}
