import { withoutFields } from '../json/schema-fields.ts'
import { inlined } from './inlined.ts'
import type { JsonSchema } from './json-schema.ts'

/** What the user says of a resource. */
export interface Declared {
  /** As written. Without it, the schema is inferred. */
  readonly schema?: object | undefined
  /** Whether a row fits it. */
  readonly fits?: ((row: unknown) => boolean) | undefined
  readonly unique?: readonly (readonly string[])[] | undefined
  /** The collections that fields point at. */
  readonly references?: ReadonlyMap<string, string> | undefined
  /** The names of the fields that say when a row was created and changed. */
  readonly timestamps?: readonly string[] | undefined
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  /** Fields that no answer shows. */
  readonly hidden?: readonly string[] | undefined
}

/**
 * The schema of a row as the user wrote it, with what the server adds.
 * @param seen what to tell without a schema of the user's
 * @param id the primary key; none in an object
 * @param inferred what the rows have in common, if there are any: tells the kind of their ids
 */
export function declaredSchema(
  declared: Declared,
  seen: JsonSchema,
  id: string | undefined,
  inferred: JsonSchema,
): JsonSchema {
  const { hidden = [] } = declared
  const own: JsonSchema = declared.schema ? withoutFields(merged(inlined(declared.schema)), hidden) : seen
  const known = own.properties ?? {}
  const stamps = (declared.timestamps ?? []).filter((name) => !declared.schema || !Object.hasOwn(known, name))
  const added: [string, JsonSchema][] = stamps.map((name) => [name, TIMESTAMP])
  const isSaid = id === undefined || (declared.schema !== undefined && Object.hasOwn(known, id))
  const ids: [string, JsonSchema][] = isSaid ? [] : [[id, idSchema(declared, inferred.properties?.[id])]]
  const required = [...new Set([...ids.map(([name]) => name), ...(own.required ?? [])])]
  // Every resource has a title of its own.
  const { required: _, properties: __, title: ___, ...rest } = own
  return {
    type: 'object',
    ...rest,
    properties: Object.fromEntries([
      ...ids.filter(([name]) => !Object.hasOwn(known, name)),
      ...Object.entries(known),
      ...ids,
      ...added,
    ]),
    ...(required.length > 0 && { required }),
    ...(declared.unique && { 'x-unique': declared.unique.map((fields) => [...fields]) }),
  }
}

const TIMESTAMP: JsonSchema = { type: 'string', format: 'date-time', readOnly: true }

/** What the ids of rows are, and those of new ones will be. */
function idSchema({ ids }: Declared, inferred: JsonSchema | undefined): JsonSchema {
  if (ids === undefined) return inferred ?? { type: ['integer', 'string'] }
  const made = MADE[ids]
  if (!inferred) return made
  const types = [...new Set([inferred.type ?? [], made.type ?? []].flat())]
  const [only] = types
  return {
    ...(types.length === 1 && only ? { type: only } : { type: types }),
    ...(made.format !== undefined && made.format === inferred.format && { format: made.format }),
  }
}

const MADE: Readonly<Record<NonNullable<Declared['ids']>, JsonSchema>> = {
  increment: { type: 'integer' },
  uuid: { type: 'string', format: 'uuid' },
  nanoid: { type: 'string' },
}

/** With the fields of `allOf` among its own, where a type can have them. */
function merged(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const parts: readonly JsonSchema[] = [...allOf.map((part: JsonSchema) => merged(part)), rest]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: [...new Set(parts.flatMap(({ required }) => required ?? []))],
  }
}

/** The schema of what a client sends: without what only the server sets. What has a default may be missing. */
export function sentSchema(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], 'x-unique': _, ...rest } = schema
  const sent = Object.entries(properties).filter(([, field]) => field.readOnly !== true)
  const needed = required.filter((name) => {
    const field = properties[name]
    return field === undefined || (field.readOnly !== true && !Object.hasOwn(field, 'default'))
  })
  return { ...rest, properties: Object.fromEntries(sent), ...(needed.length > 0 && { required: needed }) }
}
