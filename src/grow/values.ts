import { deepCopy, isObject } from '../json/values.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { makerBySchema } from './by-schema.ts'
import { fitsSchema } from './fits.ts'
import { listMaker } from './lists.ts'
import type { Learning, Maker, Place } from './maker.ts'
import { numberMaker } from './numbers.ts'
import { objectMaker } from './objects.ts'
import { textMaker } from './texts.ts'

/** Values are inspected down to this depth; below it, they are copied. */
const DEEPEST = 20

/** Values of the kinds that there are, as often as they are; those that do not fit the schema are left out. */
export function valueMaker(
  values: readonly unknown[],
  schema: JsonSchema,
  place: Place,
  learning: Learning,
): Maker {
  const fitting = values.filter(fitsSchema(schema))
  const key = learning.keys.get(place.path)
  if (fitting.length === 0) {
    const isList = [schema.type].flat().includes('array')
    return key && !isList ? key : makerBySchema(schema, place, learning)
  }
  if (schema.enum !== undefined || place.depth > DEEPEST) return (random) => deepCopy(random.pick(fitting))
  const texts = fitting.filter((value) => typeof value === 'string')
  const numbers = fitting.filter((value) => typeof value === 'number')
  const booleans = fitting.filter((value) => typeof value === 'boolean')
  const lists = fitting.filter((value) => Array.isArray(value))
  const objects = fitting.filter(isObject)
  const kinds: readonly Kind[] = [
    [texts.length, () => key ?? textMaker(texts, schema, place, learning)],
    [numbers.length, () => key ?? numberMaker(numbers, schema)],
    [booleans.length, () => (random) => random.pick(booleans)],
    [lists.length, () => listMaker(lists, schema, place, learning)],
    [objects.length, () => objectMaker(objects, schema, place, learning)],
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
