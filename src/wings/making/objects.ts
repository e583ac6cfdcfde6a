import type { Row } from '../../core/engine/types.ts'
import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { deepCopy, setField } from '../../core/kernel/json/values.ts'
import type { Random } from '../../core/kernel/util/random.ts'
import { inside, type Maker, type ObjectMaker, type ValuePlace } from './maker.ts'

/** With more names than this, it is a dictionary, and copied as a whole. */
const MOST_FIELDS = 1000

export interface Field {
  readonly name: string
  readonly make: Maker
  /** How many objects have it; all, if the schema requires it. */
  readonly count: number
  /** The server fills it in where it is missing. */
  readonly hasDefault: boolean
}

/** Objects with the fields of these, each as often as it is there, and with what the schema requires. */
export function objectMaker(objects: readonly Row[], place: ValuePlace): ObjectMaker {
  const names = fieldNames(objects, place)
  if (objects.length > 0 && (names.length > MOST_FIELDS || (place.path !== '' && objects.every(isFile))))
    return (random) => deepCopy(random.pick(objects)) as Row
  return makerOfFields(
    names.map((name) => fieldOf(name, objects, place)),
    objects.length,
  )
}

/** The value of a field with an upload: parts of two would name a file that is not there. */
function isFile({ url, name, type, size }: Row): boolean {
  return (
    [url, name, type].every((text) => typeof text === 'string') &&
    typeof size === 'number' &&
    FILE.test(String(url))
  )
}

const FILE = /\/[0-9a-f]{32}\/[^/]+$/

/** In the order in which rows have them; then those that only the schema names. */
export function fieldNames(objects: readonly Row[], place: ValuePlace): readonly string[] {
  const { properties = {}, required = [] } = place.schema
  const names = new Set(objects.flatMap((object) => Object.keys(object)))
  const all = new Set([...names, ...required, ...(objects.length === 0 ? Object.keys(properties) : [])])
  return [...all].filter((name) => {
    const isReadOnly = Object.hasOwn(properties, name) && properties[name]?.readOnly === true
    return !isReadOnly && !place.learning.left.has(inside(place, name).path)
  })
}

export function fieldOf(name: string, objects: readonly Row[], place: ValuePlace): Field {
  const { properties = {}, required = [] } = place.schema
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  const schema = isSchema(own) ? own : {}
  const values = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : []))
  return {
    name,
    make: place.learning.valueMaker(values, inside(place, name, schema)),
    count: required.includes(name) ? Math.max(objects.length, 1) : values.length,
    hasDefault: Object.hasOwn(schema, 'default'),
  }
}

/** @param total how many objects the fields were counted in */
export function makerOfFields(fields: readonly Field[], total: number): ObjectMaker {
  const isMade = ({ count, hasDefault }: Field, random: Random, isSparse: boolean) => {
    if (total === 0) return !hasDefault && (count > 0 || (!isSparse && random.below(2) === 0))
    return isSparse ? count === total && !hasDefault : random.below(total) < count
  }
  return (random, sent = {}, isSparse = false) => {
    const object: Row = {}
    for (const field of fields) {
      const { name, make } = field
      if (Object.hasOwn(sent, name)) setField(object, name, sent[name])
      else if (isMade(field, random, isSparse)) setField(object, name, make(random))
    }
    for (const name of Object.keys(sent)) if (!Object.hasOwn(object, name)) setField(object, name, sent[name])
    return object
  }
}
