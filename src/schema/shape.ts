import type { Format } from './formats.ts'
import type { JsonSchema, SchemaType } from './json-schema.ts'

/** The values at one path: how many of each kind, and what they contain. */
export interface Shape {
  nulls: number
  booleans: number
  integers: number
  fractions: number
  strings: number
  objects: number
  lists: number
  /** The format that every string so far has; null when they have none in common. */
  format: Format | null | undefined
  readonly fields: Map<string, Shape>
  /** The values of further fields, once there are too many names. */
  rest: Shape | undefined
  items: Shape | undefined
}

export function newShape(): Shape {
  return {
    nulls: 0,
    booleans: 0,
    integers: 0,
    fractions: 0,
    strings: 0,
    objects: 0,
    lists: 0,
    format: undefined,
    fields: new Map(),
    rest: undefined,
    items: undefined,
  }
}

function countOf(shape: Shape): number {
  return COUNTS.reduce((sum, kind) => sum + shape[kind], 0)
}

const COUNTS = ['nulls', 'booleans', 'integers', 'fractions', 'strings', 'objects', 'lists'] as const

function addShape(to: Shape, from: Shape): void {
  for (const kind of COUNTS) to[kind] += from[kind]
  if (from.format !== undefined) {
    to.format = to.format === undefined || to.format === from.format ? from.format : null
  }
  for (const [name, field] of from.fields) addShape(fieldOf(to, name), field)
  if (from.rest) addShape(inside(to, 'rest'), from.rest)
  if (from.items) addShape(inside(to, 'items'), from.items)
}

/** The shape of a field; beyond the bound, the shape that all further fields share. */
export function fieldOf(shape: Shape, name: string, mayAdd = true): Shape {
  const existing = shape.fields.get(name)
  if (existing) return existing
  if (!mayAdd || shape.fields.size >= MOST_FIELDS) return inside(shape, 'rest')
  const field = newShape()
  shape.fields.set(name, field)
  return field
}

export function inside(shape: Shape, part: 'rest' | 'items'): Shape {
  shape[part] ??= newShape()
  return shape[part]
}

/** Distinct names per object. With more of them, it is a dictionary. */
export const MOST_FIELDS = 1000

/** The JSON Schema of a shape. Each keyword applies to one type only: several kinds of values need no `anyOf`. */
export function schemaOf(shape: Shape): JsonSchema {
  const types = typesOf(shape)
  const [only] = types
  // Only nulls so far: it may become anything.
  if (types.length === 1 && only === 'null') return {}
  return {
    ...(types.length > 0 && { type: types.length === 1 && only !== undefined ? only : types }),
    ...(shape.strings > 0 && shape.format && { format: shape.format }),
    ...(shape.objects > 0 && fieldsOf(shape)),
    ...(shape.items && countOf(shape.items) > 0 && { items: schemaOf(shape.items) }),
  }
}

function typesOf(shape: Shape): readonly SchemaType[] {
  const { strings, fractions, integers, booleans, objects, lists, nulls } = shape
  const seen: [SchemaType, number][] = [
    ['string', strings],
    [fractions > 0 ? 'number' : 'integer', fractions + integers],
    ['boolean', booleans],
    ['object', objects],
    ['array', lists],
    ['null', nulls],
  ]
  return seen.flatMap(([type, count]) => (count > 0 ? [type] : []))
}

function fieldsOf(shape: Shape): JsonSchema {
  const { named, rest } = shape.rest
    ? asDictionary(shape, shape.rest)
    : { named: [...shape.fields], rest: undefined }
  const required = named.filter(([, field]) => countOf(field) >= shape.objects).map(([name]) => name)
  return {
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, field]) => [name, schemaOf(field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(rest && { additionalProperties: schemaOf(rest) }),
  }
}

/** With too many names, only those that most objects share are fields; the others are keys. */
function asDictionary(shape: Shape, others: Shape): { named: [string, Shape][]; rest: Shape } {
  const isField = (field: Shape) => shape.objects > 1 && countOf(field) * 2 >= shape.objects
  const rest = newShape()
  addShape(rest, others)
  for (const field of shape.fields.values()) if (!isField(field)) addShape(rest, field)
  return { named: [...shape.fields].filter(([, field]) => isField(field)), rest }
}
