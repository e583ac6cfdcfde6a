import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { deepCopy, isObject } from '../../core/kernel/json/values.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { beside } from '../schemas/combined.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'
import { listBySchema, listMaker } from './lists.ts'
import type { Maker, ValuePlace } from './maker.ts'
import { numberBySchema, numberMaker } from './numbers.ts'
import { objectMaker } from './objects.ts'
import { textBySchema, textMaker } from './texts.ts'

/** Values are inspected down to this depth; below it, they are copied. */
const DEEPEST_VALUES = 20

/** Schemas may contain themselves: from this depth on, there is nothing. */
const DEEPEST_SCHEMAS = 8

/** Values of the kinds that there are, as often as they are. Without values, the schema says what they are. */
export function valueMaker(values: readonly unknown[], place: ValuePlace): Maker {
  const { schema, learning, path, depth } = place
  const key = learning.keys.get(path)
  if (values.length === 0) return key && typeOf(schema) !== 'array' ? key : makerBySchema(place)
  if (schema.enum !== undefined || depth > DEEPEST_VALUES) return (random) => deepCopy(random.pick(values))
  const byKind = new Map<string, unknown[]>()
  for (const value of values) getOrMake(byKind, kindOf(value), (): unknown[] => []).push(value)
  const makers = new Map([...byKind].map(([kind, some]) => [kind, makerOfKind(kind, some, place)]))
  return (random) => makers.get(kindOf(random.pick(values)))?.(random)
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

function makerOfKind(kind: string, values: readonly unknown[], place: ValuePlace): Maker {
  const key = place.learning.keys.get(place.path)
  switch (kind) {
    case 'string':
      return (
        key ??
        textMaker(
          values.filter((value) => typeof value === 'string'),
          place,
        )
      )
    case 'number':
      return key ?? numberMaker(values.filter((value) => typeof value === 'number'))
    case 'array':
      return listMaker(values.filter(Array.isArray), place)
    case 'object':
      return objectMaker(values.filter(isObject), place)
    default:
      return (random) => random.pick(values)
  }
}

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
