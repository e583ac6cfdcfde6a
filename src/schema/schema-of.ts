import type { JsonSchema, SchemaType } from './json-schema.ts'
import { addShape, countOf, newShape, type Shape } from './shape.ts'

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
