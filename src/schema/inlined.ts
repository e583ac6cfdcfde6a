import { resolvePointer } from '../json/resolve-pointer.ts'
import type { JsonSchema } from './json-schema.ts'

/** Words about the document that a schema was written as, which mean nothing where it is put. */
const OF_A_DOCUMENT: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$comment', '$defs', 'definitions'],
])

/** Words whose values are data, not schemas. */
const OF_DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples', 'required'])

/**
 * A user's schema as part of another document: each `$ref` replaced with what it points at, and what JSON Schema 2020-12
 * writes otherwise than draft 7. A schema that contains itself is any value there.
 */
export function inlined(root: object): JsonSchema {
  return objectOf(copy(root, []))

  function copy(node: unknown, path: readonly unknown[], isSchema = true): unknown {
    if (Array.isArray(node)) return node.map((entry) => copy(entry, path))
    if (!isObject(node)) return node
    if (path.includes(node)) return {}
    const deeper = [...path, node]
    if (!isSchema) return mapped(node, (inner) => copy(inner, deeper))
    const { $ref, ...rest } = node
    const target = typeof $ref === 'string' && $ref.startsWith('#') ? resolvePointer(root, $ref) : undefined
    const own = Object.fromEntries(
      Object.entries(inNewWords(rest))
        .filter(([key]) => !OF_A_DOCUMENT.has(key))
        .map(([key, inner]) => [key, OF_DATA.has(key) ? inner : copy(inner, deeper, !BY_NAME.has(key))]),
    )
    if (target === undefined) return own
    const pointed: object = Object(copy(target, deeper))
    const isApart = Object.keys(own).some((key) => OF_FIELDS.has(key) && Object.hasOwn(pointed, key))
    return isApart ? { allOf: [pointed, own] } : { ...pointed, ...own }
  }
}

/** Words that add to each other, where a schema has them beside a reference. */
const OF_FIELDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'properties', 'required'])

/** Words whose values are schemas by name. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Draft 7 had a list of schemas as `items`. */
function inNewWords(node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { dependencies: _, additionalItems, ...rest } = node
  if (!Array.isArray(rest.items)) return rest
  const { items, ...others } = rest
  return { ...others, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

function mapped(node: object, change: (inner: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, change(inner)]))
}

function objectOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
