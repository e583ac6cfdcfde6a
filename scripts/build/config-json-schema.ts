import { writeFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { toKebabCase } from '../../src/config/spelling.ts'
import { SETTINGS } from '../../src/features/settings.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Writes what editors complete and check config files with. */
export async function writeConfigSchema(): Promise<void> {
  const file = new URL('../../dist/config.schema.json', import.meta.url)
  await writeFile(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
}

/** The JSON Schema of the config file, with both spellings of each key. Draft 7 has the best editor support. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(SETTINGS.schema, { io: 'input', target: 'draft-7' })
  return { title: 'restable configuration', ...schema, ...withTwins(schema, '#') }
}

function withTwins(schema: JsonSchema, pointer: string): Pick<JsonSchema, 'properties'> {
  const properties: NonNullable<JsonSchema['properties']> = {}
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (typeof inner === 'boolean') continue
    const here = `${pointer}/properties/${key}`
    properties[key] = inner.properties ? { ...inner, ...withTwins(inner, here) } : inner
    const twin = toKebabCase(key)
    if (twin !== key) properties[twin] = { $ref: here }
  }
  return { properties }
}
