import * as z from 'zod'
import { settingsSchema } from './config-schema.ts'
import { toKebabCase } from './spelling.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of the config file, with both spellings of each key. Draft 7 has the best editor support. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' })
  return { title: 'restable configuration', ...schema, ...withTwins(schema, '#') }
}

/** The keys allowed at a path of the settings, in camelCase. */
export function knownKeys(path: readonly string[]): readonly string[] {
  let schema: JsonSchema | undefined = z.toJSONSchema(settingsSchema, { io: 'input' })
  for (const key of path) schema = objectAt(schema, key)
  return Object.keys(schema?.properties ?? {}).filter((key) => key !== '$schema')
}

function withTwins(schema: JsonSchema, pointer: string): Pick<JsonSchema, 'properties'> {
  const properties: NonNullable<JsonSchema['properties']> = {}
  for (const key of Object.keys(schema.properties ?? {})) {
    const inner = objectAt(schema, key)
    const here = `${pointer}/properties/${key}`
    properties[key] = inner?.properties ? { ...inner, ...withTwins(inner, here) } : (inner ?? {})
    const twin = toKebabCase(key)
    if (twin !== key) properties[twin] = { $ref: here }
  }
  return { properties }
}

function objectAt(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  // Where keys are names of the data, all have the same schema.
  const inner = schema?.properties?.[key] ?? schema?.additionalProperties
  return typeof inner === 'object' ? inner : undefined
}
