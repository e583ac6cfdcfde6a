import { isSchema } from '../../core/kernel/json/schema-document.ts'
import { deepCopy, setField } from '../../core/kernel/json/values.ts'
import type { Random } from '../../core/kernel/util/random.ts'
import { isClosed } from '../../wings/schemas/row-schemas.ts'
import { type GrownRow, inside, type Maker, type ObjectMaker, type ValuePlace } from './maker.ts'

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
export function objectMaker(objects: readonly GrownRow[], place: ValuePlace): ObjectMaker {
  const names = fieldNames(objects, place)
  if (objects.length > 0 && names.length > MOST_FIELDS)
    return (random) => deepCopy(random.pick(objects)) as GrownRow
  const fields = names.map((name) => fieldOf(name, objects, place))
  return makerOfFields(fields, objects)
}

/** In the order in which rows have them; then those that only the schema names. */
export function fieldNames(objects: readonly GrownRow[], place: ValuePlace): readonly string[] {
  const { schema, learning } = place
  const { properties = {}, required = [] } = schema
  const names = new Set<string>()
  for (const object of objects) for (const name of Object.keys(object)) names.add(name)
  const isListed = (name: string) => Object.hasOwn(properties, name)
  const known = isClosed(schema) && !schema.patternProperties ? [...names].filter(isListed) : [...names]
  const all = new Set([...known, ...required, ...(objects.length === 0 ? Object.keys(properties) : [])])
  return [...all].filter((name) => {
    const isReadOnly = isListed(name) && properties[name]?.readOnly === true
    return !isReadOnly && !learning.left.has(inside(place, name).path)
  })
}

export function fieldOf(name: string, objects: readonly GrownRow[], place: ValuePlace): Field {
  const { properties = {}, required = [] } = place.schema
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  const schema = isSchema(own) ? own : {}
  const values = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : []))
  const isAlways = required.includes(name)
  return {
    name,
    make: place.learning.valueMaker(values, inside(place, name, schema)),
    count: isAlways ? Math.max(objects.length, 1) : values.length,
    hasDefault: Object.hasOwn(schema, 'default'),
  }
}

export function makerOfFields(fields: readonly Field[], objects: readonly GrownRow[]): ObjectMaker {
  const total = Math.max(objects.length, 1)
  const isMade = ({ count, hasDefault }: Field, random: Random, isSparse: boolean) => {
    if (objects.length === 0) return !hasDefault && (count > 0 || (!isSparse && random.below(2) === 0))
    return isSparse ? count === total && !hasDefault : random.below(total) < count
  }
  return (random, sent = {}, isSparse = false) => {
    const row: GrownRow = {}
    for (const field of fields) {
      const { name, make } = field
      if (Object.hasOwn(sent, name)) setField(row, name, sent[name])
      else if (isMade(field, random, isSparse)) setField(row, name, make(random))
    }
    for (const name of Object.keys(sent)) if (!Object.hasOwn(row, name)) setField(row, name, sent[name])
    return row
  }
}
