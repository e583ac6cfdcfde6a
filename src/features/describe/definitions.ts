import { isSchema, mapInner } from '../../core/kernel/json/schema-document.ts'
import { freeName } from '../../core/kernel/util/free-name.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { pascalCase, RESERVED_NAMES, type TypeNames } from './names.ts'

interface Defined {
  readonly types: TypeNames
  readonly schema: JsonSchema
  readonly newSchema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

/** Gives the definitions in the schemas of resources unique names. */
export function withDefinitions<T extends Defined>(resources: readonly T[]): readonly T[] {
  const names = resources.flatMap(({ types }) => [types.row, types.fresh, types.patch, types.relations])
  const taken = new Set([...RESERVED_NAMES, ...names.map((name) => name.toLowerCase())])
  const isTaken = (name: string) => taken.has(name.toLowerCase())
  return resources.map((resource) => {
    const { $defs, ...schema } = resource.schema
    const { $defs: _, ...newSchema } = resource.newSchema
    if (!isSchema($defs)) return resource
    const renamed = new Map(
      Object.keys($defs).map((name) => {
        const type = freeName(`${resource.types.row}${pascalCase(name)}`, isTaken)
        taken.add(type.toLowerCase())
        return [`${PLACE}${name}`, `${PLACE}${type}`]
      }),
    )
    const rename = (ref: string) => renamed.get(ref) ?? ref
    const definitions = Object.fromEntries(
      Object.entries($defs).map(([name, definition]) => [
        rename(`${PLACE}${name}`).slice(PLACE.length),
        isSchema(definition) ? definition : {},
      ]),
    )
    return withSchemas({ ...resource, schema, newSchema, definitions }, (each) => referringTo(each, rename))
  })
}

const PLACE = '#/$defs/'

export function definedAt<T extends Defined>(place: string, resource: T): T {
  if (Object.keys(resource.definitions).length === 0) return resource
  return withSchemas(resource, (each) => referringTo(each, (ref) => ref.replace(PLACE, place)))
}

/** The resource, with each of its schemas changed. */
export function withSchemas<T extends Defined>(resource: T, change: (schema: JsonSchema) => JsonSchema): T {
  const { schema, newSchema, definitions } = resource
  return {
    ...resource,
    schema: change(schema),
    newSchema: change(newSchema),
    definitions: Object.fromEntries(Object.entries(definitions).map(([name, each]) => [name, change(each)])),
  }
}

function referringTo(schema: JsonSchema, change: (ref: string) => string): JsonSchema {
  const inner = mapInner(schema, (part) => (isSchema(part) ? referringTo(part, change) : part))
  return typeof schema.$ref === 'string' ? { ...inner, $ref: change(schema.$ref) } : inner
}
