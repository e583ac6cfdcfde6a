import { isSchema } from '../json/schema-document.ts'
import type { JsonSchema } from './json-schema.ts'

/** Tells a reader of a schema, or of one field, that new rows are accepted without it. */
export const INFERRED = 'Inferred from the rows: new ones need not fit'

export function isInferred({ $comment }: JsonSchema): boolean {
  return $comment === INFERRED
}

export function isClosed({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return additionalProperties === false || unevaluatedProperties === false
}

/** A schema of the user's with the fields that it requires or that rows have, and that it does not list. */
export function completed(schema: JsonSchema, inferred: JsonSchema): JsonSchema {
  if (isClosed(schema)) return schema
  const listed = fieldsIn(schema)
  const found = inferred.properties ?? {}
  const required = schema.required ?? []
  const names = [...new Set([...required, ...Object.keys(found)])].filter((name) => !listed.has(name))
  const added = names.map((name) => [
    name,
    required.includes(name) ? (fieldOf(found, name) ?? {}) : { ...fieldOf(found, name), $comment: INFERRED },
  ])
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    completedField(field, fieldOf(found, name)),
  ])
  const always = (inferred.required ?? []).filter((name) => names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries([...own, ...added]),
    required: [...new Set([...required, ...always])],
  }
}

/** An object that lists some of its fields has others, unless it says what those are. One that lists none may have any. */
function completedField(field: JsonSchema, inferred: JsonSchema | undefined): JsonSchema {
  if (!inferred) return field
  const { properties, patternProperties, additionalProperties = true } = field
  if (properties && inferred.properties && additionalProperties === true && !patternProperties) {
    return completed(field, inferred)
  }
  const { items } = field
  return isSchema(items) && inferred.items
    ? { ...field, items: completedField(items, inferred.items) }
    : field
}

/** The fields that a schema lists, in any of its alternatives. */
export function fieldsIn(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const branches = BRANCHES.flatMap((keyword) => [schema[keyword]].flat()).filter(isSchema)
  return new Map([
    ...branches.flatMap((branch) => [...fieldsIn(branch)]),
    ...Object.entries(schema.properties ?? {}),
  ])
}

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

function fieldOf(fields: NonNullable<JsonSchema['properties']>, name: string): JsonSchema | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
