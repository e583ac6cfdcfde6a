import { isSchema } from '../../json/schema-document.ts'
import { isObject } from '../../json/values.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { Row } from '../../storage/types.ts'

export interface Sample {
  /** Rows to take values from. */
  readonly rows: readonly Row[]
  /** The number of the new row: another one makes other values. */
  readonly number: number
}

/**
 * A new row with what its schema requires, or all other rows have: a value of another row, or else one that fits the
 * schema. The same sample gives the same row.
 */
export function fillRow(sent: Row, schema: JsonSchema, { rows, number }: Sample): Row {
  const { properties = {}, required = [] } = schema
  const unique = uniqueFields(schema, sent)
  const row = { ...sent }
  for (const name of required) {
    const field = properties[name] ?? {}
    if (Object.hasOwn(sent, name) || field.readOnly === true || Object.hasOwn(field, 'default')) continue
    const values = rows.flatMap((other) => (Object.hasOwn(other, name) ? [other[name]] : []))
    const usual = values.length > 0 ? values[number % values.length] : make(name, field, number)
    row[name] = unique.has(name) ? another(usual, values, name, field, number) : usual
  }
  return row
}

/** One field of each group that must differ: the first that the client leaves open. */
function uniqueFields(schema: JsonSchema, sent: Row): ReadonlySet<string> {
  const groups = Array.isArray(schema['x-unique']) ? schema['x-unique'] : []
  const open = groups.map((group: readonly string[]) => group.find((name) => !Object.hasOwn(sent, name)))
  return new Set(open.filter((name) => name !== undefined))
}

function another(
  value: unknown,
  values: readonly unknown[],
  name: string,
  field: JsonSchema,
  number: number,
): unknown {
  if (typeof value === 'number') return Math.max(...values.map(Number), value) + number
  if (typeof value !== 'string') return value
  if (value.includes('@')) return value.replace(/(?:\+\d+)?@/, `+${number}@`)
  if (field.format !== undefined) return make(name, field, number)
  return cut(`${value.replace(/ \d+$/, '')} ${number}`, field)
}

function make(name: string, schema: JsonSchema, number: number): unknown {
  if (Object.hasOwn(schema, 'const')) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[number % schema.enum.length]
  const [branch] = [schema.anyOf, schema.oneOf, schema.allOf].flat().filter(isSchema)
  if (branch) return make(name, { ...schema, anyOf: [], oneOf: [], allOf: [], ...branch }, number)
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'integer':
    case 'number':
      return makeNumber(schema, number)
    case 'boolean':
      return number % 2 === 0
    case 'array': {
      const length = numberIn(schema, 'minItems') ?? 0
      return Array.from({ length }, (_, at) => make(name, schema.items ?? {}, number + at))
    }
    case 'object':
      return fillRow({}, schema, { rows: [], number })
    case 'string':
      return makeText(name, schema, number)
    default:
      return null
  }
}

function makeNumber(schema: JsonSchema, number: number): number {
  const step = numberIn(schema, 'multipleOf') ?? 1
  const above = numberIn(schema, 'exclusiveMinimum')
  const below = numberIn(schema, 'exclusiveMaximum')
  const most = numberIn(schema, 'maximum') ?? (below === undefined ? Number.POSITIVE_INFINITY : below - step)
  const least = numberIn(schema, 'minimum') ?? (above === undefined ? Math.min(step, most) : above + step)
  const first = Math.ceil(least / step) * step
  const count = Math.floor((most - first) / step) + 1
  return first + ((number - 1) % Math.max(1, count)) * step
}

const DAY = 86_400_000

function makeText(name: string, schema: JsonSchema, number: number): string {
  const time = new Date(Date.UTC(2026, 0) + number * DAY).toISOString()
  switch (schema.format) {
    case 'date-time':
      return time
    case 'date':
      return time.slice(0, 10)
    case 'time':
      return time.slice(11)
    case 'email':
      return `${name}${number}@example.com`
    case 'uri':
    case 'url':
      return `https://example.com/${encodeURIComponent(name)}/${number}`
    case 'uuid':
      return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    default:
      return cut(`${name} ${number}`, schema)
  }
}

/** The end says what number it is. */
function cut(text: string, schema: JsonSchema): string {
  const most = numberIn(schema, 'maxLength') ?? text.length
  return text.slice(Math.max(0, text.length - most)).padEnd(numberIn(schema, 'minLength') ?? 0, '.')
}

function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value: unknown = isObject(schema) ? schema[keyword] : undefined
  return typeof value === 'number' ? value : undefined
}
