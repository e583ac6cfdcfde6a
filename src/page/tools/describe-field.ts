import { isObject } from '../../core/kernel/json/values.ts'
import {
  type FieldSchema,
  fieldsOfSchema,
  isInferredSchema,
  listOf,
  resolved,
  type Schema,
} from '../client/field-schema.ts'

export interface DescribedField {
  /** `locations[].city` */
  readonly path: string
  /** `string`, `list of integers`, `string or number` */
  readonly type: string
  readonly field: FieldSchema
  /** `at least 0`, `40 characters or fewer` */
  readonly limits: readonly string[]
}

/** Some data has thousands. */
const MOST_FIELDS = 300
const DEEPEST = 5

/** The fields of a row, each followed by those inside it. */
export function describeFields(schema: Schema, root: Schema = schema): readonly DescribedField[] {
  return fieldsIn(schema, { root, isInferred: isInferredSchema(schema) }, '', 1).slice(0, MOST_FIELDS)
}

interface Row {
  readonly root: Schema
  readonly isInferred: boolean
}

function fieldsIn(schema: Schema, row: Row, prefix: string, level: number): DescribedField[] {
  const { root, isInferred } = row
  return fieldsOfSchema(schema, root, isInferred).flatMap((field) => {
    const path = `${prefix}${field.name}`
    const limits = [...limitsOf(field.schema), ...uniqueIn(schema, field.name)]
    const own = { path, type: typeOf(field.schema, root), field, limits }
    if (level >= DEEPEST) return [own]
    const items = resolved(field.schema.items, root)
    return [
      own,
      ...fieldsIn(field.schema, row, `${path}.`, level + 1),
      ...fieldsIn(items, row, `${path}[].`, level + 1),
    ]
  })
}

function typeOf(schema: Schema, root: Schema, level = 1): string {
  if ('const' in schema || Array.isArray(schema.enum)) return 'one of'
  // A schema may contain itself.
  const inner = (part: unknown) =>
    level < DEEPEST ? typeOf(resolved(part, root), root, level + 1) : 'anything'
  const types = listOf(schema.type).filter((type) => type !== 'null')
  if (types.length > 0)
    return types.map((type) => (type === 'array' ? listType(inner(schema.items)) : type)).join(' or ')
  const alternatives = new Set([...listOf(schema.anyOf), ...listOf(schema.oneOf)].map(inner))
  if (alternatives.size > 0) return [...alternatives].join(' or ')
  return isObject(schema.properties) ? 'object' : 'anything'
}

function listType(entries: string): string {
  if (entries === 'anything') return 'list'
  return `list of ${entries.replace(/\b(?:string|number|integer|boolean|object|list)\b/g, '$&s')}`
}

const LIMITS: readonly (readonly [string, (value: string) => string])[] = [
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `${value} characters or more`],
  ['maxLength', (value) => `${value} characters or fewer`],
  ['minItems', (value) => `${value} entries or more`],
  ['maxItems', (value) => `${value} entries or fewer`],
  ['pattern', (value) => `matches ${value}`],
  ['uniqueItems', () => 'no entry twice'],
]

function limitsOf(schema: Schema): readonly string[] {
  return LIMITS.flatMap(([word, say]) => {
    const value = schema[word]
    return value === undefined || value === false ? [] : [say(String(value))]
  })
}

/** As the server writes them: `[["email"], ["first", "last"]]`. */
function uniqueIn(schema: Schema, name: string): readonly string[] {
  const groups = listOf(schema['x-unique']).map(listOf)
  return groups
    .filter((group) => group.includes(name))
    .map((group) => {
      const others = group.filter((other) => other !== name)
      return others.length === 0 ? 'unique' : `unique together with ${others.join(' and ')}`
    })
}
