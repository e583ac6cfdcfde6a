import type { JsonSchema } from '../json-schema.ts'
import { inPlace } from './in-place.ts'

/** A schema as if objects without these fields were judged, though they have them: what the server adds is not asked for. */
export function allowing(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema
  const { properties, patternProperties, propertyNames, minProperties, maxProperties } = schema
  const isClosed = schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined
  const named = Object.fromEntries(names.map((name) => [name, {}]))
  return inPlace(
    {
      ...schema,
      ...(isClosed && { properties: { ...named, ...properties } }),
      ...(typeof patternProperties === 'object' &&
        patternProperties && { patternProperties: otherThan(names, patternProperties) }),
      ...(propertyNames !== undefined && { propertyNames: { anyOf: [{ enum: [...names] }, propertyNames] } }),
      ...(typeof minProperties === 'number' && { minProperties: minProperties + names.length }),
      ...(typeof maxProperties === 'number' && { maxProperties: maxProperties + names.length }),
    },
    (part) => allowing(part, names),
  )
}

/** The same patterns, of which none matches these names. */
function otherThan(names: readonly string[], patterns: object): object {
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  return Object.fromEntries(
    Object.entries(patterns).map(([pattern, schema]) => {
      const isConcerned = names.some((name) => new RegExp(pattern).test(name))
      return [isConcerned ? `^(?!(?:${escaped})$)(?=[\\s\\S]*?(?:${pattern}))` : pattern, schema]
    }),
  )
}
