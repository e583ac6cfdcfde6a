import type { JsonSchema } from './json-schema.ts'

/** A schema as if rows did not have these fields: it neither names nor requires them. */
export function withoutFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return names.length === 0 ? schema : strip(schema, new Set(names))
}

/** Keywords that hold schemas of the same value. */
const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['if', 'then', 'else', 'not']
/** Keywords that are about fields by their name. */
const BY_NAME = ['properties', 'dependentSchemas', 'dependentRequired']

function strip(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'required' && Array.isArray(value)) {
        return [keyword, value.filter((name) => !names.has(name))]
      }
      if (LISTS.includes(keyword) && Array.isArray(value)) {
        return [keyword, value.map((part) => (isSchema(part) ? strip(part, names) : part))]
      }
      if (!isSchema(value)) return [keyword, value]
      if (SINGLES.includes(keyword)) return [keyword, strip(value, names)]
      return [keyword, BY_NAME.includes(keyword) ? pick(value, names) : value]
    }),
  )
}

function pick(fields: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
