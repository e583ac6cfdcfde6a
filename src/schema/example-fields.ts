import type { JsonSchema } from './json-schema.ts'

/** A row as it is read: with what the server adds to every row, though this one may be older than the rule. */
export function asRead(row: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(row)) return row.map((entry) => asRead(entry, schema.items ?? {}))
  if (!isObject(row)) return row
  const { properties = {}, required = [] } = schema
  const own = Object.entries(row).map(([name, value]) => [name, asRead(value, fieldOf(properties, name))])
  const missing = required.filter((name) => !Object.hasOwn(row, name))
  return Object.fromEntries([...own, ...missing.map((name) => [name, sampleOf(fieldOf(properties, name))])])
}

/** A row as a client sends it: without what only the server sets, and without these fields. */
export function asSent(row: unknown, { properties = {} }: JsonSchema, left: readonly string[] = []): unknown {
  if (!isObject(row)) return row
  const sent = Object.entries(row).filter(
    ([name]) => !left.includes(name) && fieldOf(properties, name).readOnly !== true,
  )
  return Object.fromEntries(sent.map(([name, value]) => [name, asSent(value, fieldOf(properties, name))]))
}

function sampleOf(schema: JsonSchema): unknown {
  if (Object.hasOwn(schema, 'default')) return schema.default
  const types = [schema.type].flat()
  if (types.includes('integer') || types.includes('number')) return 1
  return SAMPLES[schema.format ?? ''] ?? 'V1StGXR'
}

const SAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  uuid: '3f0c2a5e-8d1b-4c6f-9a7e-5b2d4e8f1a3c',
}

function fieldOf(fields: NonNullable<JsonSchema['properties']>, name: string): JsonSchema {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
