import { idOf } from '../../core/engine/id-of.ts'
import {
  foreignKey,
  isUsualPlural,
  listKey,
  onlyReference,
  relationNamedBy,
} from '../../core/engine/relations/relations.ts'
import type { Naming } from '../../core/engine/types.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fieldsIn, isClosed } from '../../wings/schemas/row-schemas.ts'

export interface Reference {
  readonly field: string
  readonly resource: string
  /** True for a list of ids: `tag_ids`. */
  readonly isList: boolean
  /** The name that `_embed` and `_expand` take. */
  readonly relation: string
  /** Only the settings say so, and it is not the way back from the collection that it points at. */
  readonly isDeclared?: boolean
}

type StatedReference = Omit<Reference, 'relation'>

/** Resources that fields refer to by their names: `company_id` and `company_ids` at `companies`. */
export type Targets = Map<string, Omit<Reference, 'field'>>

export function addTarget(targets: Targets, resource: string, naming: Naming): void {
  const field = foreignKey(resource, naming)
  const known = targets.get(field)?.resource
  if (known !== undefined && isUsualPlural(known)) return
  const relation = relationNamedBy(field, naming) ?? resource
  targets.set(field, { resource, isList: false, relation })
  const list = listKey(resource, naming)
  if (targets.get(list)?.isList !== false) targets.set(list, { resource, isList: true, relation: resource })
}

export interface KnownKeys {
  readonly targets: Targets
  readonly naming: Naming
  readonly collection: string
  /** Collections by the fields that the user says point at them. */
  readonly declared?: ReadonlyMap<string, string> | undefined
  idSchemaOf(resource: string): JsonSchema | undefined
  /** The schema inferred from the rows. */
  readonly inferred: JsonSchema
}

/** Marks the foreign keys of a row, and adds those that only the settings name. */
export function withReferences(
  schema: JsonSchema,
  { targets, naming, collection, declared = new Map(), idSchemaOf, inferred }: KnownKeys,
): { schema: JsonSchema; references: readonly Reference[] } {
  const own = schema.properties ?? {}
  const declaredFields = new Set([...declared].flatMap(([field, name]) => (idSchemaOf(name) ? [field] : [])))
  const listed = fieldsIn(schema)
  // A dot leads into objects.
  const isMissing = (field: string) => !listed.has(field) && !field.includes('.')
  const missing = isClosed(schema) ? [] : [...declaredFields].filter(isMissing)
  const keys = missing.map((field): [string, JsonSchema] => [field, targets.get(field)?.isList ? LIST : {}])
  const usual = [...listed, ...keys].flatMap(([field, inner]) => {
    const target = targets.get(field)
    const isKey = field !== idOf(collection, naming)
    return target && isKey && (inner.items || !target.isList) ? [{ field, ...target }] : []
  })
  if (usual.length + declaredFields.size === 0) return { schema, references: usual }
  const fields = [...Object.entries(own), ...keys]
  const stated = fields.flatMap(([field, inner]) => {
    const resource = declaredFields.has(field) ? declared.get(field) : undefined
    return resource === undefined ? [] : [{ field, resource, isList: inner.items !== undefined }]
  })
  const byField = new Map<string, StatedReference>(
    [...usual, ...stated].map((reference) => [reference.field, reference]),
  )
  const properties = Object.fromEntries(
    fields.map(([field, inner]) => {
      const reference = byField.get(field)
      if (!reference) return [field, inner]
      const seen = Object.hasOwn(inferred.properties ?? {}, field) ? inferred.properties?.[field] : undefined
      return [field, marked(inner, reference, idSchemaOf(reference.resource), seen)]
    }),
  )
  return {
    schema: { ...schema, properties },
    references: withDeclared(
      usual,
      stated.filter(({ field }) => naming.references?.get(collection)?.has(field)),
      naming,
      collection,
    ),
  }
}

/** A key without the suffix names no relation, nor does an owner that is no reference. */
function withDeclared(
  usual: readonly Reference[],
  stated: readonly StatedReference[],
  naming: Naming,
  collection: string,
): readonly Reference[] {
  const declared = stated.flatMap((reference) => {
    const relation = relationNamedBy(reference.field, naming)
    const back = usual.filter(({ resource }) => resource === reference.resource)
    if (relation === undefined || back.some(({ field }) => field === reference.field)) return []
    const isOnly =
      back.length === 0 && onlyReference(naming, collection, reference.resource)?.field === reference.field
    return [{ ...reference, relation, ...(!isOnly && { isDeclared: true as const }) }]
  })
  return [...usual.filter(({ field }) => !declared.some((one) => one.field === field)), ...declared]
}

const LIST: JsonSchema = { type: 'array', items: {} }

/** @param seen what rows have there: without a type, only null */
function marked(
  schema: JsonSchema,
  { resource, isList }: StatedReference,
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
