import { isSchema, mapInner, SchemaDocument } from '../../core/kernel/json/schema-document.ts'
import { freeName } from '../../core/kernel/util/free-name.ts'
import { beside, unfolded } from './combined.ts'
import type { JsonSchema } from './json-schema.ts'

/** Keywords about the original document, and references. */
const OF_A_DOCUMENT: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$vocabulary', '$comment', '$defs', 'definitions'],
  ...['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$ref', '$dynamicRef', '$recursiveRef'],
])

/** A user's schema in keywords of 2020-12, with references replaced. Only what contains itself stays in `$defs`. */
export function inlined(root: object): JsonSchema {
  const document = new SchemaDocument(root)
  const copies = new Map<unknown, Copy>()
  const definitions = new Map<string, Copy>()

  function copy(node: unknown): unknown {
    if (!isSchema(node)) return node
    const existing = copies.get(node)
    // Still being copied: it contains itself.
    if (existing && !existing.result) existing.name ??= define(node, existing)
    const made = existing ?? {}
    if (!existing) {
      copies.set(node, made)
      made.result = copyOf(node)
    }
    return made.name === undefined ? made.result : { $ref: `#/$defs/${made.name}` }
  }

  function copyOf(node: Readonly<Record<string, unknown>>): JsonSchema {
    const entries = Object.entries(inNewWords(node)).filter(([key]) => !OF_A_DOCUMENT.has(key))
    const own = mapInner(Object.fromEntries(entries), copy)
    return document.targetsOf(node).map(copy).reduce<JsonSchema>(beside, own)
  }

  function define(node: Readonly<Record<string, unknown>>, copied: Copy): string {
    const name = freeName(nameOf(root, node), (taken) => definitions.has(taken), '-')
    definitions.set(name, copied)
    return name
  }

  const schema = copy(root)
  const $defs = Object.fromEntries([...definitions].map(([name, { result = {} }]) => [name, result]))
  const whole = unfolded(isSchema(schema) ? schema : {}, $defs)
  return definitions.size === 0 ? whole : { ...whole, $defs }
}

interface Copy {
  name?: string
  result?: JsonSchema
}

function nameOf(root: object, node: Readonly<Record<string, unknown>>): string {
  const { $anchor, $dynamicAnchor, title } = node
  const named = ['$defs', 'definitions'].flatMap((key) => Object.entries(Object(Reflect.get(root, key))))
  const [key] = named.find(([, one]) => one === node) ?? []
  return String(key ?? $anchor ?? $dynamicAnchor ?? title ?? 'nested').replace(/\W+/g, '-')
}

type Schema = Readonly<Record<string, unknown>>

/** Replaces keywords of earlier drafts and of OpenAPI 3.0 by those of JSON Schema 2020-12. */
function inNewWords(schema: Schema): Schema {
  return withTuple(withDependents(withNull(schema)))
}

function withNull({ nullable, ...schema }: Schema): Schema {
  return nullable === true && schema.type !== undefined
    ? { ...schema, type: [...new Set([schema.type, 'null'].flat())] }
    : schema
}

/** Draft 7 had a list of schemas as `items`. */
function withTuple({ additionalItems, ...schema }: Schema): Schema {
  const { items, ...rest } = schema
  if (!Array.isArray(items)) return schema
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** Draft 7 had `dependentRequired` and `dependentSchemas` in one keyword. */
function withDependents({ dependencies, ...schema }: Schema): Schema {
  if (typeof dependencies !== 'object' || dependencies === null) return schema
  const all = Object.entries(dependencies)
  const fields = all.filter(([, needed]) => Array.isArray(needed))
  const schemas = all.filter(([, needed]) => !Array.isArray(needed))
  return {
    ...schema,
    ...(fields.length > 0 && {
      dependentRequired: { ...Object(schema.dependentRequired), ...Object.fromEntries(fields) },
    }),
    ...(schemas.length > 0 && {
      dependentSchemas: { ...Object(schema.dependentSchemas), ...Object.fromEntries(schemas) },
    }),
  }
}
