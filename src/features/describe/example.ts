import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { maskText } from '../../core/layers/parts/mask-secrets.ts'
import { isSecretName, MASK } from '../../core/layers/parts/secrets.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

const MOST = { looked: 10_000, characters: 200, entries: 3, fields: 100, depth: 8 } as const

/** A short copy of a value. Secrets become meaningless values of the same type, so that the example fits its schema. */
export function exampleOf(value: unknown, isSecret = false, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return isSecret ? MASK : shortened(maskText(value.slice(0, MOST.looked)))
    case 'number':
      return isSecret ? 0 : Number.isFinite(value) ? value : null
    case 'boolean':
      return isSecret ? false : value
    case 'object':
      if (value === null) return null
      if (depth >= MOST.depth) return Array.isArray(value) ? [] : {}
      return copyOf(value, isSecret, depth + 1)
    default:
      return undefined
  }
}

function copyOf(value: object, isSecret: boolean, depth: number): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, MOST.entries).map((entry) => exampleOf(entry, isSecret, depth) ?? null)
  }
  const names = Object.keys(value)
    .slice(0, MOST.fields)
    .filter((name) => name.length <= MOST.characters)
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(Reflect.get(value, name), isSecret || isSecretName(name), depth)]),
  )
}

function shortened(text: string): string {
  return text.length <= MOST.characters
    ? text
    : `${text.slice(0, MOST.characters).replace(HALF_A_CHARACTER, '')}…`
}

const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/

/** An example with what is always there, though the example was cut. */
export function asRead(row: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(row)) return row.map((entry) => asRead(entry, schema.items ?? {}))
  if (!isSchema(row)) return row
  const { properties = {}, required = [] } = schema
  const own = Object.entries(row).map(([name, value]) => [name, asRead(value, fieldOf(properties, name))])
  const missing = required.filter((name) => !Object.hasOwn(row, name))
  return Object.fromEntries([...own, ...missing.map((name) => [name, sampleOf(fieldOf(properties, name))])])
}

/** A row as a client sends it: without what only the server sets, and without these fields. */
export function exampleBody(
  row: unknown,
  { properties = {} }: JsonSchema,
  left: readonly string[] = [],
): unknown {
  if (!isSchema(row)) return row
  const sent = Object.entries(row).filter(
    ([name]) => !left.includes(name) && fieldOf(properties, name).readOnly !== true,
  )
  return Object.fromEntries(
    sent.map(([name, value]) => [name, exampleBody(value, fieldOf(properties, name))]),
  )
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
