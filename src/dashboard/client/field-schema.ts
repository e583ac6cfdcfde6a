import { isObject } from '../../json/record.ts'
import { resolvePointer } from '../../json/schema-document.ts'

/** What a JSON Schema says of a field, as far as a form or a table can use it. */
export interface FieldSchema {
  readonly name: string
  /** Without `null`. */
  readonly types: readonly string[]
  readonly isNullable: boolean
  /** Whether clients have to send it: not what the server sets, or has a default for. */
  readonly isRequired: boolean
  /** The schema was inferred from the rows: every row has what is required, but the next one need not. */
  readonly isInferred: boolean
  /** The server sets it. */
  readonly isReadOnly: boolean
  readonly format?: string
  /** The values of an enumeration. */
  readonly choices?: readonly unknown[]
  /** The collection it refers to. */
  readonly references?: string
  readonly description?: string
  readonly default?: unknown
  /** All of it, with references resolved. */
  readonly schema: Schema
}

export type Schema = Readonly<Record<string, unknown>>

/**
 * The fields of an object's schema, in its order.
 * @param isInferred whether the row's schema says so, for an object inside of a row
 */
export function fieldsOfSchema(
  schema: Schema,
  root: Schema = schema,
  isInferred = isInferredSchema(schema),
): readonly FieldSchema[] {
  const object = resolved(schema, root)
  const required = listOf(object.required)
  return Object.entries(isObject(object.properties) ? object.properties : {}).map(([name, inner]) =>
    fieldSchema(name, resolved(inner, root), { isRequired: required.includes(name), isInferred }),
  )
}

/** Whether a schema, or that of a field, tells that it was inferred from the rows. */
export function isInferredSchema({ $comment }: Schema): boolean {
  return /^Inferred\b/.test(String($comment))
}

function fieldSchema(
  name: string,
  schema: Schema,
  object: Pick<FieldSchema, 'isRequired' | 'isInferred'>,
): FieldSchema {
  const types = listOf(schema.type).filter((type) => typeof type === 'string')
  const choices = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  const isNullable = types.includes('null') || choices?.includes(null) === true
  const { format, description, 'x-references': references } = schema
  const isReadOnly = schema.readOnly === true
  return {
    name,
    types: types.filter((type) => type !== 'null'),
    isNullable,
    isRequired: object.isRequired && !isReadOnly && !('default' in schema),
    isInferred: object.isInferred || isInferredSchema(schema),
    isReadOnly,
    ...(typeof format === 'string' && { format }),
    ...(choices && { choices }),
    ...(typeof references === 'string' && { references }),
    ...(typeof description === 'string' && { description }),
    ...('default' in schema && { default: schema.default }),
    schema,
  }
}

/** References inside of one document; a circle of them ends as nothing known. */
export function resolved(schema: unknown, root: Schema): Schema {
  let found: unknown = schema
  for (let turns = 0; turns < MOST_REFERENCES && isObject(found); turns += 1) {
    if (typeof found.$ref !== 'string') return found
    found = found.$ref.startsWith('#') ? resolvePointer(root, found.$ref) : undefined
  }
  return {}
}

const MOST_REFERENCES = 20

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
