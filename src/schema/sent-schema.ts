import { isSchema } from '../json/schema-document.ts'
import { notRequiring, withoutFields } from '../json/schema-fields.ts'
import { isInferred } from './completed.ts'
import type { JsonSchema } from './json-schema.ts'

/** The schema of a new row as a client sends it: without what only the server sets, and requiring nothing that it adds. */
export function sentSchema(schema: JsonSchema, optional: readonly string[]): JsonSchema {
  const { 'x-unique': _, ...rest } = schema
  return asSent(rest, optional)
}

function asSent(schema: JsonSchema, optional: readonly string[] = [], isInList = false): JsonSchema {
  const fields = Object.entries(schema.properties ?? {})
  const spared = fields.filter(([, field]) => Object.hasOwn(field, 'default') || isInferred(field))
  // What a list has of the server's cannot be told from what a client puts there.
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

/** The same with nothing required, for PATCH. */
export function patchSchemaOf({ required: _, ...rest }: JsonSchema): JsonSchema {
  return rest
}

/** The schema of what is read: what has a default is there. */
export function readSchema(schema: JsonSchema): JsonSchema {
  const { properties, items, required = [] } = schema
  const filled = Object.entries(properties ?? {}).filter(([, field]) => Object.hasOwn(field, 'default'))
  const always = [...new Set([...required, ...namesOf(filled)])]
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, readSchema) }),
    ...(always.length > 0 && { required: always }),
    ...(isSchema(items) && { items: readSchema(items) }),
  }
}

type Fields = NonNullable<JsonSchema['properties']>

function mapped(fields: Fields, change: (field: JsonSchema) => JsonSchema): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, isSchema(field) ? change(field) : field]),
  )
}

function namesOf(fields: readonly (readonly [string, unknown])[]): readonly string[] {
  return fields.map(([name]) => name)
}
