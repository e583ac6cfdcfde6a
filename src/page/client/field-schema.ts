import { resolvePointer } from '../../core/kernel/json/schema-document.ts'
import { isObject } from '../../core/kernel/json/values.ts'

/** A field by its JSON Schema. */
export interface FieldSchema {
  readonly name: string
  /** Without `null`. */
  readonly types: readonly string[]
  readonly isNullable: boolean
  /** Whether clients must send it: not what the server sets or has a default for. */
  readonly isRequired: boolean
  /** Inferred from the rows: every row has what is required, but the next one need not. */
  readonly isInferred: boolean
  /** Set by the server. */
  readonly isReadOnly: boolean
  readonly format?: string
  readonly choices?: readonly unknown[]
  readonly references?: string
  readonly description?: string
  readonly default?: unknown
  /** With references resolved. */
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

/** The schema that a reference in the document leads to; empty for a circle of them. */
export function resolved(schema: unknown, root: Schema): Schema {
  let target: unknown = schema
  for (let turns = 0; turns < MOST_REFERENCES && isObject(target); turns += 1) {
    if (typeof target.$ref !== 'string') return target
    target = target.$ref.startsWith('#') ? resolvePointer(root, target.$ref) : undefined
  }
  return {}
}

const MOST_REFERENCES = 20

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
