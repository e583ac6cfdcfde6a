import { isSchema, mapInner } from '../../core/kernel/json/schema-document.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { JsonSchema } from './json-schema.ts'

const NOTES = new Set([
  ...['$comment', 'title', 'description', 'default', 'deprecated'],
  ...['example', 'examples', 'readOnly', 'writeOnly'],
])

/** Keywords that mean something else beside one another. */
const TOGETHER = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['items', 'prefixItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  ['if', 'then', 'else'],
]

/** Both schemas as one; undefined if that would have another meaning. */
function combined(own: JsonSchema, part: JsonSchema): JsonSchema | undefined {
  if (Object.keys(own).length === 0) return part
  if (!areApart(own, part)) return undefined
  const entries = Object.entries(part).map(([key, value]): [string, unknown] | undefined => {
    if (!Object.hasOwn(own, key) || isSameJson(own[key], value)) return [key, value]
    if (NOTES.has(key) || key.startsWith('x-')) return [key, own[key]]
    if (key === 'required' || key === 'allOf') return [key, [...new Set([part[key], own[key]].flat())]]
    if (key === 'properties' && own.properties && part.properties) {
      return [key, propertiesOf(own.properties, part.properties)]
    }
    return undefined
  })
  return entries.every((entry) => entry !== undefined)
    ? { ...own, ...Object.fromEntries(entries) }
    : undefined
}

function areApart(own: JsonSchema, part: JsonSchema): boolean {
  const isClosed = [own, part].some(({ additionalProperties }) => additionalProperties !== undefined)
  // These look at the rest of the schema that they are in.
  if (part.unevaluatedProperties !== undefined || part.unevaluatedItems !== undefined) return false
  return TOGETHER.every((group) => {
    if (group.includes('properties') && !isClosed) return true
    return !hasAny(own, group) || !hasAny(part, group)
  })
}

function hasAny(schema: JsonSchema, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(schema, key))
}

type Properties = NonNullable<JsonSchema['properties']>

function propertiesOf(own: Properties, part: Properties): Properties {
  const both = Object.entries(part).map(([name, field]): [string, JsonSchema] => {
    const other = Object.hasOwn(own, name) ? own[name] : undefined
    if (isSchema(other)) return [name, beside(other, field)]
    // `true` and `false` are schemas, too.
    return [name, other === false ? other : field]
  })
  return Object.fromEntries([...both, ...Object.entries(own).filter(([name]) => !Object.hasOwn(part, name))])
}

export function beside(own: JsonSchema, other: unknown): JsonSchema {
  if (!isSchema(other)) return other === false ? { ...own, not: {} } : own
  const one = combined(own, other)
  return one ?? { ...own, allOf: [...(Array.isArray(own.allOf) ? own.allOf : []), other] }
}

/** Merges the parts of `allOf`, as far as that keeps the meaning, and lists their fields. */
export function merged(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf)) return schema
  const apart: unknown[] = []
  const whole = allOf.reduce<JsonSchema>((so, each: unknown) => {
    const part = isSchema(each) ? merged(each) : each
    const one = isSchema(part) ? combined(so, part) : undefined
    if (one) return one
    apart.push(part)
    return isSchema(part) ? listing(so, part) : so
  }, own)
  return apart.length === 0
    ? whole
    : { ...whole, allOf: [...(Array.isArray(whole.allOf) ? whole.allOf : []), ...apart] }
}

/** Lists the fields of a part as well, which changes nothing, unless it opens what is closed. */
function listing(schema: JsonSchema, { properties, required = [] }: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== undefined || !properties) return schema
  return {
    ...schema,
    properties: { ...properties, ...schema.properties },
    required: [...new Set([...required, ...(schema.required ?? [])])],
  }
}

/** Keywords with schemas of the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependentSchemas']

function inPlace(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => IN_PLACE.includes(keyword)))
  return { ...schema, ...mapInner(own, (part) => (isSchema(part) ? change(part) : part)) }
}

/** The schema, allowing these fields as if it judged objects without them: the server adds them. */
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

/** Replaces references by their definitions, where those are about the value itself. */
export function unfolded(
  schema: JsonSchema,
  $defs: Readonly<Record<string, JsonSchema>>,
  path: readonly string[] = [],
): JsonSchema {
  const { $ref, ...own } = schema
  const name = $ref?.replace('#/$defs/', '')
  const definition = name !== undefined && !path.includes(name) ? $defs[name] : undefined
  const deeper = name === undefined ? path : [...path, name]
  const whole = definition ? beside(own, unfolded(definition, $defs, deeper)) : schema
  return inPlace(whole, (part) => unfolded(part, $defs, deeper))
}
