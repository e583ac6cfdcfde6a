import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { notRequiring, withoutFields } from '../../core/kernel/json/schema-fields.ts'
import type { JsonSchema } from './json-schema.ts'

/** `$comment` of a schema or field that new rows need not fit. */
export const INFERRED = 'Inferred from the rows: new ones need not fit'

function isInferred({ $comment }: JsonSchema): boolean {
  return $comment === INFERRED
}

export function isClosed({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return additionalProperties === false || unevaluatedProperties === false
}

/** A user's schema, with the unlisted fields that it requires or that rows have. */
export function completed(schema: JsonSchema, inferred: JsonSchema): JsonSchema {
  if (isClosed(schema)) return schema
  const listed = fieldsIn(schema)
  const inferredFields = inferred.properties ?? {}
  const required = schema.required ?? []
  const names = [...new Set([...required, ...Object.keys(inferredFields)])].filter(
    (name) => !listed.has(name),
  )
  const added = names.map((name) => [
    name,
    required.includes(name)
      ? (fieldOf(inferredFields, name) ?? {})
      : { ...fieldOf(inferredFields, name), $comment: INFERRED },
  ])
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    completedField(field, fieldOf(inferredFields, name)),
  ])
  const always = (inferred.required ?? []).filter((name) => names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries([...own, ...added]),
    required: [...new Set([...required, ...always])],
  }
}

/** An object that lists some fields has more, unless it says which. One that lists none may have any. */
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

/** The schema of a new row as a client sends it: without the server's fields, and requiring nothing that it adds. */
export function sentSchema(schema: JsonSchema, optional: readonly string[]): JsonSchema {
  const { 'x-unique': _, minProperties = 0, ...rest } = schema
  const added = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => optional.includes(name) || field.readOnly === true || Object.hasOwn(field, 'default'),
  )
  const least = Number(minProperties) - added.length
  return asSent({ ...rest, ...(least > 0 && { minProperties: least }) }, optional)
}

function asSent(schema: JsonSchema, optional: readonly string[] = [], isInList = false): JsonSchema {
  const fields = Object.entries(schema.properties ?? {})
  const spared = fields.filter(([, field]) => Object.hasOwn(field, 'default') || isInferred(field))
  // In a list, the server's fields cannot be told from the client's.
  const servers = isInList ? [] : namesOf(fields.filter(([, { readOnly }]) => readOnly === true))
  const bare: JsonSchema = notRequiring(withoutFields(schema, servers), [...optional, ...namesOf(spared)])
  const { properties, required = [], items, ...rest } = bare
  return {
    ...rest,
    ...(properties && { properties: mapped(properties, (field) => asSent(field, [], isInList)) }),
    ...(required.length > 0 && { required }),
    ...(items !== undefined && { items: isSchema(items) ? asSent(items, [], true) : items }),
  }
}

/** Keywords that judge a whole row: a part of its fields need not fit them. */
const OF_WHOLE_ROWS = ['required', 'minProperties', 'dependentRequired', 'not']

/**
 * The schema of some fields of a row. They may fit several of the forms of which the row has one.
 * @param isClosed whether only fields that some part of it lists may be there
 */
export function patchSchemaOf(schema: JsonSchema, isClosed = false): JsonSchema {
  const { allOf, anyOf, oneOf, if: test, then, else: other, dependentSchemas, ...rest } = schema
  const isSo = isClosed || rest.unevaluatedProperties !== undefined
  const patchParts = (parts: unknown): readonly unknown[] =>
    [parts ?? []].flat().map((part) => (isSchema(part) ? patchSchemaOf(part, isSo) : part))
  const own = Object.entries(rest).filter(([keyword]) => !OF_WHOLE_ROWS.includes(keyword))
  // They ask for nothing, but list fields.
  const conditions = isSo
    ? [test, then, other, ...Object.values(Object(dependentSchemas))].filter(isSchema)
    : []
  const all = [
    ...patchParts(allOf),
    ...(oneOf === undefined ? [] : [{ anyOf: patchParts(oneOf) }]),
    ...(conditions.length > 0 ? [{ anyOf: [{}, ...patchParts(conditions)] }] : []),
  ]
  return {
    ...Object.fromEntries(own),
    ...(all.length > 0 && { allOf: all }),
    ...(anyOf !== undefined && { anyOf: patchParts(anyOf) }),
  }
}

/** The schema of a new row as it is read: fields with a default are present. */
export function readSchema(schema: JsonSchema): JsonSchema {
  const { properties, items, required = [] } = schema
  const filled = Object.entries(properties ?? {}).filter(([, field]) => Object.hasOwn(field, 'default'))
  const always = [...new Set([...required, ...namesOf(filled)])]
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, (field) => readSchema(field)) }),
    ...(always.length > 0 && { required: always }),
    ...(isSchema(items) && { items: readSchema(items) }),
  }
}

type Fields = NonNullable<JsonSchema['properties']>

function mapped(fields: Fields, change: (field: JsonSchema, name: string) => JsonSchema): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, isSchema(field) ? change(field, name) : field]),
  )
}

function namesOf(fields: readonly (readonly [string, unknown])[]): readonly string[] {
  return fields.map(([name]) => name)
}
