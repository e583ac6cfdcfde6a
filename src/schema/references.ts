import type { JsonSchema } from './json-schema.ts'
import { fieldsIn, isClosed } from './row-schemas.ts'

export interface Reference {
  readonly field: string
  readonly resource: string
  /** It contains several ids: `tag_ids`. */
  readonly isList: boolean
  /** What `_expand` calls it, where that is not the field without its suffix. */
  readonly relation?: string
}

export interface KnownKeys {
  /** Collections by their foreign key: `company_id` → `companies`. */
  readonly targets: ReadonlyMap<string, string>
  /** Collections by the fields that the user says point at them. */
  readonly declared?: ReadonlyMap<string, string> | undefined
  idSchemaOf(resource: string): JsonSchema | undefined
}

/** Marks the foreign keys of a row, and adds those that only the settings name. */
export function withReferences(
  schema: JsonSchema,
  { targets, declared = new Map(), idSchemaOf }: KnownKeys,
): { schema: JsonSchema; references: readonly Reference[] } {
  const own = schema.properties ?? {}
  const declaredFields = new Set([...declared].flatMap(([field, name]) => (idSchemaOf(name) ? [field] : [])))
  const listed = fieldsIn(schema)
  // A dot leads into objects.
  const isMissing = (field: string) => !listed.has(field) && !field.includes('.')
  const missing = isClosed(schema) ? [] : [...declaredFields].filter(isMissing)
  const keys = missing.map((field): [string, JsonSchema] => [field, isListKey(field, targets) ? LIST : {}])
  const references = [...listed, ...keys].flatMap(([field, inner]) => referenceOf(field, inner, targets))
  if (references.length + declaredFields.size === 0) return { schema, references }
  const fields = [...Object.entries(own), ...keys]
  // Only what is named by the usual rule can be embedded.
  const stated = fields.flatMap(([field, inner]) => {
    const resource = declaredFields.has(field) ? declared.get(field) : undefined
    return resource === undefined ? [] : [{ field, resource, isList: inner.items !== undefined }]
  })
  const byField = new Map([...references, ...stated].map((reference) => [reference.field, reference]))
  const properties = Object.fromEntries(
    fields.map(([field, inner]) => {
      const reference = byField.get(field)
      return [field, reference ? marked(inner, reference, idSchemaOf(reference.resource)) : inner]
    }),
  )
  return { schema: { ...schema, properties }, references }
}

const LIST: JsonSchema = { type: 'array', items: {} }

function isListKey(field: string, targets: ReadonlyMap<string, string>): boolean {
  return !targets.has(field) && field.endsWith('s') && targets.has(field.slice(0, -1))
}

function referenceOf(
  field: string,
  schema: JsonSchema,
  targets: ReadonlyMap<string, string>,
): readonly Reference[] {
  const one = targets.get(field)
  if (one !== undefined) return [{ field, resource: one, isList: false }]
  const many = schema.items && isListKey(field, targets) ? targets.get(field.slice(0, -1)) : undefined
  return many === undefined ? [] : [{ field, resource: many, isList: true }]
}

function marked(
  schema: JsonSchema,
  { resource, isList }: Reference,
  { type, format }: JsonSchema = {},
): JsonSchema {
  const mark = { description: `The id of one of ${resource}`, 'x-references': resource }
  const inner = isList ? (schema.items ?? {}) : schema
  const isTyped = TYPING.some((keyword) => Object.hasOwn(inner, keyword))
  const typed = { ...inner, ...(!isTyped && { ...(type && { type }), ...(format && { format }) }), ...mark }
  return isList ? { ...schema, items: typed } : typed
}

const TYPING = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']
