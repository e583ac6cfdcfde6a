import { isObject } from '../../core/kernel/json/values.ts'
import type { FieldSchema } from '../client/field-schema.ts'
import type { Row } from '../data/rows.ts'
import { isNested, parseJson } from '../parts/json.ts'

/** Some data has thousands: the JSON editor shows them. */
const MOST_FIELDS = 100

/**
 * The fields of a new row: those of the schema, without what the server sets, then those that another row has.
 * @param key the primary key, which the server makes
 */
export function newFields(template: Row, schemas: readonly FieldSchema[], key: string): readonly FormField[] {
  const schemaOf = byName(schemas)
  const names = new Set([...schemaOf.keys(), ...Object.keys(template)])
  return [...names]
    .filter((name) => name !== key && !schemaOf.get(name)?.isReadOnly)
    .slice(0, MOST_FIELDS)
    .map((name) => toBlankField(name, template[name], schemaOf.get(name)))
}

/** The fields of a row, and those that it lacks. Without the id, which cannot be changed. */
export function fieldsOfRow(row: Row, schemas: readonly FieldSchema[], key?: string): readonly FormField[] {
  const schemaOf = byName(schemas)
  const own = Object.entries(row)
    .filter(([name]) => name !== key)
    .map(([name, value]) => toField(name, value, schemaOf.get(name)))
  const missing = schemas.filter(
    ({ name, isReadOnly }) => !isReadOnly && name !== key && !Object.hasOwn(row, name),
  )
  return [...own, ...missing.slice(0, Math.max(0, MOST_FIELDS - own.length)).map(toMissingField)]
}

/** Fields that the server sets in a new row: id, timestamps, owner. */
export function serverFields(schemas: readonly FieldSchema[], key: string): readonly string[] {
  const names = schemas.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name)
  return [...new Set([key, ...names])]
}

export function byName(schemas: readonly FieldSchema[]): ReadonlyMap<string, FieldSchema> {
  return new Map(schemas.map((schema) => [schema.name, schema]))
}

/** Scalars are edited in an input, the rest as JSON. */
type FieldKind = 'text' | 'number' | 'boolean' | 'json'

export interface FormField {
  readonly name: string
  readonly kind: FieldKind
  readonly text: string
  /** The first text: unchanged fields are not sent. */
  readonly initial: string
  /** Whether an empty input means null: it was null, or is chosen rather than typed. */
  readonly isNull: boolean
}

/** Longer strings are better off in the JSON editor than in a one-line input. */
const LONGEST = 100_000

export function toField(name: string, value: unknown, schema?: FieldSchema): FormField {
  const kind = value === null ? (kindBy(schema) ?? 'text') : kindOf(value)
  const text = textOf(kind, value)
  return { name, kind, text, initial: text, isNull: value === null || isChosen(schema) }
}

/** An empty field of a new row: of the kind that the schema names, else of the same kind as another row's. */
export function toBlankField(name: string, example: unknown, schema?: FieldSchema): FormField {
  const kind = kindBy(schema) ?? kindOf(example)
  const isNull = isChosen(schema)
  if (schema?.default !== undefined)
    return { name, kind, text: textOf(kind, schema.default), initial: '', isNull }
  // A required field is sent even if it is not changed.
  const isNeeded = schema === undefined || (schema.isRequired && !schema.isNullable)
  return { name, kind, text: isNeeded ? emptyOf(kind, example, schema) : '', initial: '', isNull }
}

function toMissingField(schema: FieldSchema): FormField {
  const kind = kindBy(schema) ?? 'text'
  return { name: schema.name, kind, text: '', initial: '', isNull: isChosen(schema) }
}

export function readField({ kind, text, isNull }: FormField): { value: unknown } | { fault: string } {
  if (text === '' && (isNull || kind === 'number' || kind === 'boolean')) return { value: null }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'json') {
    const parsed = parseJson(text)
    return parsed.fault ? { fault: 'is not JSON' } : { value: parsed.value }
  }
  if (kind === 'text') return { value: text }
  return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: 'is not a number' }
}

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean'
  if (isNested(value)) return 'json'
  return typeof value === 'string' && value.length > LONGEST ? 'json' : 'text'
}

/** Undefined where the schema allows several kinds. */
function kindBy(schema: FieldSchema | undefined): FieldKind | undefined {
  const choices = (schema?.choices ?? []).filter((choice) => choice !== null)
  const kinds = new Set(
    choices.length > 0 ? choices.map(kindOf) : (schema?.types ?? []).map((type) => KINDS[type] ?? 'json'),
  )
  if (kinds.size === 0) return undefined
  // Values of several kinds can be chosen as JSON, but not typed.
  if (kinds.size > 1) return choices.length > 0 ? 'json' : undefined
  return [...kinds][0]
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/** Picked from a list or a calendar: an empty input is null, not an empty text. */
function isChosen(schema: FieldSchema | undefined): boolean {
  return schema?.choices !== undefined || schema?.format === 'date' || schema?.format === 'date-time'
}

function textOf(kind: FieldKind, value: unknown): string {
  if (value === null) return ''
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

function emptyOf(kind: FieldKind, example: unknown, schema: FieldSchema | undefined): string {
  if (kind === 'boolean') return 'false'
  if (kind !== 'json' || schema?.choices) return ''
  return Array.isArray(example) || schema?.types[0] === 'array' ? '[]' : '{}'
}

interface FormErrors {
  /** In the server's words: `must be at least 0`. */
  readonly byField: ReadonlyMap<string, readonly string[]>
  /** Of fields that the form does not show. */
  readonly others: readonly string[]
}

/**
 * Groups `{ "errors": { "price": "must be at least 0", "locations.0.city": "is required" } }` by top-level field.
 */
export function errorsIn(body: unknown, names: readonly string[]): FormErrors {
  const byField = new Map<string, string[]>()
  const others: string[] = []
  const errors = isObject(body) && isObject(body.errors) ? body.errors : {}
  // The longest name first: a field may be called `a.b` beside one called `a`.
  const sorted = names.toSorted((one, other) => other.length - one.length)
  for (const [path, message] of Object.entries(errors)) {
    const name = sorted.find((field) => path === field || path.startsWith(`${field}.`))
    const inside = name === undefined ? path : path.slice(name.length + 1)
    const text = inside === '' ? String(message) : `${inside} ${message}`
    if (name === undefined) others.push(text)
    else byField.set(name, [...(byField.get(name) ?? []), text])
  }
  return { byField, others }
}
