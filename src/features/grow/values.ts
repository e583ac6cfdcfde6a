import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { deepCopy, isObject } from '../../core/kernel/json/values.ts'
import { beside } from '../../wings/schemas/combined.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { fitsSchema } from './fits.ts'
import { listBySchema, listMaker } from './lists.ts'
import type { Maker, ValuePlace } from './maker.ts'
import { numberBySchema, numberMaker } from './numbers.ts'
import { objectMaker } from './objects.ts'
import { textBySchema, textMaker } from './texts.ts'

/** Values are inspected down to this depth; below it, they are copied. */
const DEEPEST_VALUES = 20

/** Schemas may contain themselves: from this depth on, there is nothing. */
const DEEPEST_SCHEMAS = 8

/** Values of the kinds that there are, as often as they are; those that do not fit the schema are left out. */
export function valueMaker(values: readonly unknown[], place: ValuePlace): Maker {
  const { schema, learning } = place
  const fitting = values.filter(fitsSchema(schema))
  const key = learning.keys.get(place.path)
  if (fitting.length === 0) {
    const isList = [schema.type].flat().includes('array')
    return key && !isList ? key : makerBySchema(place)
  }
  if (schema.enum !== undefined || place.depth > DEEPEST_VALUES)
    return (random) => deepCopy(random.pick(fitting))
  const texts = fitting.filter((value) => typeof value === 'string')
  const numbers = fitting.filter((value) => typeof value === 'number')
  const booleans = fitting.filter((value) => typeof value === 'boolean')
  const lists = fitting.filter((value) => Array.isArray(value))
  const objects = fitting.filter(isObject)
  const kinds: readonly Kind[] = [
    [texts.length, () => key ?? textMaker(texts, place)],
    [numbers.length, () => key ?? numberMaker(numbers, schema)],
    [booleans.length, () => (random) => random.pick(booleans)],
    [lists.length, () => listMaker(lists, place)],
    [objects.length, () => objectMaker(objects, place)],
  ]
  const makers = kinds.flatMap(([count, make]) => (count > 0 ? [{ count, make: make() }] : []))
  return (random) => {
    let at = random.below(fitting.length)
    for (const { count, make } of makers) {
      if (at < count) return make(random)
      at -= count
    }
    return null
  }
}

type Kind = readonly [count: number, make: () => Maker]

/** Values that a schema allows, where there are none to learn from. */
function makerBySchema(place: ValuePlace): Maker {
  const { schema } = place
  if (Object.hasOwn(schema, 'const')) return () => deepCopy(schema.const)
  const { enum: values, examples, anyOf, oneOf, allOf } = schema
  for (const list of [values, examples]) {
    if (Array.isArray(list) && list.length > 0) return (random) => deepCopy(random.pick(list))
  }
  if (place.depth > DEEPEST_SCHEMAS) return () => null
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isSchema) : []))
  if (branches.length > 0) {
    const { anyOf: _, oneOf: __, ...own } = schema
    const makers = branches.map((branch) => makerBySchema({ ...place, schema: beside(own, branch) }))
    return (random) => random.pick(makers)(random)
  }
  const [part] = Array.isArray(allOf) ? allOf.filter(isSchema) : []
  if (part && schema.type === undefined)
    return makerBySchema({ ...place, schema: { ...part, ...schema, allOf: [] } })
  switch (typeOf(schema)) {
    case 'integer':
      return numberBySchema(schema, true)
    case 'number':
      return numberBySchema(schema, false)
    case 'boolean':
      return (random) => random.below(2) === 0
    case 'array':
      return listBySchema(place)
    case 'object':
      return objectMaker([], place)
    case 'string':
      return textBySchema(place)
    default:
      return () => null
  }
}

function typeOf({ type, format, pattern, properties, items }: JsonSchema): string | undefined {
  const named = [type ?? []].flat().find((each) => each !== 'null')
  if (named !== undefined || type !== undefined) return named
  if (properties) return 'object'
  if (items) return 'array'
  return format !== undefined || pattern !== undefined ? 'string' : undefined
}
