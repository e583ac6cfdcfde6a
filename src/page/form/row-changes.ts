import { isObject } from '../../core/kernel/json/values.ts'
import type { Row } from '../data/rows.ts'
import { parseJson } from '../parts/json.ts'
import { type FormField, readField, toField } from './form-fields.ts'

/** The row as typed into the fields. */
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

export function readRow(json: string): { row: Row; fault?: never } | { row?: never; fault: string } {
  const { value, fault } = parseJson(json)
  if (fault) return { fault: 'This is not JSON yet: see the line below the editor.' }
  return isObject(value) ? { row: value } : { fault: 'A row must be a JSON object: { … }' }
}

/** The JSON text with the form's changes applied; unchanged if there are none. */
export function jsonFromFields(fields: readonly FormField[], json: string): Converted {
  const changed = changedFields(fields)
  if ('fault' in changed) return changed
  const { value } = parseJson(json)
  if (Object.keys(changed.row).length === 0) return {}
  return { json: JSON.stringify({ ...(isObject(value) && value), ...changed.row }, null, 2) }
}

/** The form with the JSON text's changes applied, and with the fields that were added there. */
export function fieldsFromJson(json: string, fields: readonly FormField[], key: string): Converted {
  const read = readRow(json)
  if (read.fault !== undefined) return read
  const values = read.row
  const changed = fields.map((field) => {
    const value = values[field.name]
    if (!Object.hasOwn(values, field.name)) return field
    if (value === null) return { ...field, text: '', isNull: true }
    const { kind, text } = toField(field.name, value)
    return { ...field, kind, text }
  })
  const names = new Set([key, ...fields.map(({ name }) => name)])
  const added = Object.entries(values)
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ ...toField(name, value), initial: '' }))
  return { fields: [...changed, ...added] }
}

interface Converted {
  readonly fields?: readonly FormField[]
  readonly json?: string
  readonly fault?: string
}

export interface FieldChange {
  readonly name: string
  /** Undefined if the row did not have the field, or no longer has it. */
  readonly before: unknown
  readonly after: unknown
}

/** The fields in which two versions of a row differ. */
export function changesBetween(before: Row, after: Row): readonly FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .map((name) => ({ name, before: own(before, name), after: own(after, name) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function own(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

export function applyChanges(row: Row, changes: readonly FieldChange[]): Row {
  const names = new Set(changes.map(({ name }) => name))
  const untouched = Object.entries(row).filter(([name]) => !names.has(name))
  const changed = changes.filter(({ after }) => after !== undefined).map(({ name, after }) => [name, after])
  // `fromEntries`, because a field may be called `__proto__`.
  return Object.fromEntries([...untouched, ...changed])
}
