import { isSchema, resolvePointer, type Schema } from './schema-document.ts'

export function withoutFields(schema: Schema, names: readonly string[]): Schema {
  return names.length === 0 ? schema : strip(schema, new Set(names))
}

/** The schema without these required fields. Follows references at the top: they describe the same object. */
export function notRequiring(schema: Schema, names: readonly string[]): Schema {
  return names.length === 0 ? schema : relax(schema, { root: schema, names: new Set(names), path: [] })
}

/** Keywords with schemas of the same object: those that it has to fit, and all. */
const DEMANDS = ['allOf', 'anyOf', 'oneOf', 'then', 'else']
const PARTS = [...DEMANDS, 'if', 'not']
const BY_NAME = ['properties', 'dependentSchemas', 'dependentRequired']

function strip(schema: Schema, names: ReadonlySet<string>): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'required') return [keyword, withoutNames(value, names)]
      if (PARTS.includes(keyword)) return [keyword, each(value, (part) => strip(part, names))]
      return [keyword, BY_NAME.includes(keyword) && isSchema(value) ? pick(value, names) : value]
    }),
  )
}

interface Relaxing {
  readonly root: Schema
  readonly names: ReadonlySet<string>
  /** The schemas around it: a schema may contain itself. */
  readonly path: readonly Schema[]
}

function relax(schema: Schema, relaxing: Relaxing): Schema {
  const { root, names } = relaxing
  const inner = { ...relaxing, path: [...relaxing.path, schema] }
  const { $ref, ...rest } = schema
  const entries = Object.entries(rest).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'required') return [keyword, withoutNames(value, names)]
    return [keyword, DEMANDS.includes(keyword) ? each(value, (part) => relax(part, inner)) : value]
  })
  const own = Object.fromEntries(entries)
  if ($ref === undefined) return own
  const target = typeof $ref === 'string' && /^#(?:\/|$)/.test($ref) ? resolvePointer(root, $ref) : undefined
  // A schema with an id resolves its references itself.
  if (!isSchema(target) || inner.path.includes(target) || target.$id !== undefined) return { ...own, $ref }
  const { $anchor: _, ...copy } = relax(target, inner)
  return { ...own, allOf: [...(Array.isArray(own.allOf) ? own.allOf : []), copy] }
}

function withoutNames(value: unknown, names: ReadonlySet<string>): unknown {
  return Array.isArray(value) ? value.filter((name) => !names.has(name)) : value
}

function each(value: unknown, change: (part: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((part) => each(part, change))
  return isSchema(value) ? change(value) : value
}

function pick(fields: Schema, names: ReadonlySet<string>): Schema {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}
