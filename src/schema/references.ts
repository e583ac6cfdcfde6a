import type { JsonSchema } from './json-schema.ts'

/** A field that refers to rows of a collection. */
export interface Reference {
  readonly field: string
  readonly resource: string
  /** It contains several ids: `tag_ids`. */
  readonly isList: boolean
}

/**
 * Marks the foreign keys of a row.
 * @param targets collections by their foreign key: `company_id` → `companies`
 * @param declared collections by the fields that the user says point at them
 */
export function withReferences(
  schema: JsonSchema,
  targets: ReadonlyMap<string, string>,
  declared: ReadonlyMap<string, string> = new Map(),
): { schema: JsonSchema; references: readonly Reference[] } {
  const fields = Object.entries(schema.properties ?? {})
  const references = fields.flatMap(([field, inner]) => referenceOf(field, inner, targets))
  if (references.length + declared.size === 0) return { schema, references }
  // Only what is named by the usual rule can be embedded.
  const said = fields.flatMap(([field, inner]) => {
    const resource = declared.get(field)
    return resource === undefined ? [] : [{ field, resource, isList: inner.items !== undefined }]
  })
  const byField = new Map([...references, ...said].map((reference) => [reference.field, reference]))
  const properties = Object.fromEntries(
    fields.map(([field, inner]) => [field, marked(inner, byField.get(field))]),
  )
  return { schema: { ...schema, properties }, references }
}

function referenceOf(
  field: string,
  schema: JsonSchema,
  targets: ReadonlyMap<string, string>,
): readonly Reference[] {
  const one = targets.get(field)
  if (one !== undefined) return [{ field, resource: one, isList: false }]
  const many = schema.items && field.endsWith('s') ? targets.get(field.slice(0, -1)) : undefined
  return many === undefined ? [] : [{ field, resource: many, isList: true }]
}

function marked(schema: JsonSchema, reference: Reference | undefined): JsonSchema {
  if (reference === undefined) return schema
  const mark = {
    description: `The id of one of ${reference.resource}`,
    'x-references': reference.resource,
  }
  return reference.isList ? { ...schema, items: { ...schema.items, ...mark } } : { ...schema, ...mark }
}
