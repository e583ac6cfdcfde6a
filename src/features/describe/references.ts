import { foreignKey, listKey } from '../../core/engine/relations/relations.ts'
import type { Naming } from '../../core/engine/types.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldsIn, isClosed } from '../../wings/schemas/row-schemas.ts'

export interface Reference {
  readonly field: string
  readonly resource: string
  /** True for a list of ids: `tag_ids`. */
  readonly isList: boolean
  /** The name that `_expand` takes, where that is not the field without its suffix. */
  readonly relation?: string
}

/** Resources that fields refer to by their names: `company_id` and `company_ids` at `companies`. */
export type Targets = Map<string, Pick<Reference, 'resource' | 'isList'>>

export function addTarget(targets: Targets, resource: string, naming: Naming): void {
  targets.set(foreignKey(resource, naming), { resource, isList: false })
  const list = listKey(resource, naming)
  if (targets.get(list)?.isList !== false) targets.set(list, { resource, isList: true })
}

export interface KnownKeys {
  readonly targets: Targets
  /** Collections by the fields that the user says point at them. */
  readonly declared?: ReadonlyMap<string, string> | undefined
  idSchemaOf(resource: string): JsonSchema | undefined
  /** The schema inferred from the rows. */
  readonly inferred: JsonSchema
}

/** Marks the foreign keys of a row, and adds those that only the settings name. */
export function withReferences(
  schema: JsonSchema,
  { targets, declared = new Map(), idSchemaOf, inferred }: KnownKeys,
): { schema: JsonSchema; references: readonly Reference[] } {
  const own = schema.properties ?? {}
  const declaredFields = new Set([...declared].flatMap(([field, name]) => (idSchemaOf(name) ? [field] : [])))
  const listed = fieldsIn(schema)
  // A dot leads into objects.
  const isMissing = (field: string) => !listed.has(field) && !field.includes('.')
  const missing = isClosed(schema) ? [] : [...declaredFields].filter(isMissing)
  const keys = missing.map((field): [string, JsonSchema] => [field, targets.get(field)?.isList ? LIST : {}])
  const references = [...listed, ...keys].flatMap(([field, inner]) => {
    const target = targets.get(field)
    return target && (inner.items || !target.isList) ? [{ field, ...target }] : []
  })
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
      if (!reference) return [field, inner]
      const seen = Object.hasOwn(inferred.properties ?? {}, field) ? inferred.properties?.[field] : undefined
      return [field, marked(inner, reference, idSchemaOf(reference.resource), seen)]
    }),
  )
  return { schema: { ...schema, properties }, references }
}

const LIST: JsonSchema = { type: 'array', items: {} }

/** @param seen what rows have there: without a type, only null */
function marked(
  schema: JsonSchema,
  { resource, isList }: Reference,
  { type: idType, format }: JsonSchema = {},
  seen?: JsonSchema,
): JsonSchema {
  const mark = { description: `The id of one of ${resource}`, 'x-references': resource }
  const inner = isList ? (schema.items ?? {}) : schema
  const only = isList ? seen?.items : seen
  const isNull = only !== undefined && only.type === undefined
  const type = isNull && idType ? [...new Set([idType, 'null' as const].flat())] : idType
  const isTyped = TYPING.some((keyword) => Object.hasOwn(inner, keyword))
  const typed = { ...inner, ...(!isTyped && { ...(type && { type }), ...(format && { format }) }), ...mark }
  return isList ? { ...schema, items: typed } : typed
}

const TYPING = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']
