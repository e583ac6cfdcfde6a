import { isSchema } from '../json/schema-document.ts'
import { beside } from './combined.ts'
import type { JsonSchema } from './json-schema.ts'

/** Keywords that hold schemas of the same value. */
const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['if', 'then', 'else', 'not']

function inPlace(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (part: unknown) => (isSchema(part) ? change(part) : part)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(changed)]
      if (SINGLES.includes(keyword)) return [keyword, changed(value)]
      if (keyword !== 'dependentSchemas' || !isSchema(value)) return [keyword, value]
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part)]))]
    }),
  )
}

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

function otherThan(names: readonly string[], patterns: object): object {
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  return Object.fromEntries(
    Object.entries(patterns).map(([pattern, schema]) => {
      const isConcerned = names.some((name) => new RegExp(pattern).test(name))
      return [isConcerned ? `^(?!(?:${escaped})$)(?=[\\s\\S]*?(?:${pattern}))` : pattern, schema]
    }),
  )
}

/** A schema with its definitions in the place of references to them, where they are about the value itself. */
export function unfolded(
  schema: JsonSchema,
  $defs: Readonly<Record<string, JsonSchema>>,
  path: readonly string[] = [],
): JsonSchema {
  const { $ref, ...own } = schema
  const name = $ref?.replace('#/$defs/', '')
  const found = name !== undefined && !path.includes(name) ? $defs[name] : undefined
  const deeper = name === undefined ? path : [...path, name]
  const whole = found ? beside(own, unfolded(found, $defs, deeper)) : schema
  return inPlace(whole, (part) => unfolded(part, $defs, deeper))
}
