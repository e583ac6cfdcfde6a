import { isObject } from './record.ts'

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. Of all drafts that are read. */
export const ONE = [
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
]
export const MANY = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
export const NAMED = [
  ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
]

export type Schema = Readonly<Record<string, unknown>>

/** The same schema with each schema right inside it changed. What is data, such as the values of `enum`, stays. */
export function mapInner(schema: Schema, change: (inner: unknown) => unknown): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (NAMED.includes(keyword) && isSchema(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]))]
      }
      if (MANY.includes(keyword) && Array.isArray(value)) return [keyword, value.map(change)]
      return [keyword, ONE.includes(keyword) ? change(value) : value]
    }),
  )
}

/** Not one of the schemas `true` and `false`. */
export function isSchema(value: unknown): value is Schema {
  return isObject(value)
}
