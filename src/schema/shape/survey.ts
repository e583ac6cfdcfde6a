import { isSecretName } from '../../layers/mask/secrets.ts'
import { STRETCH, type Work } from '../../work/in-slices.ts'
import { formatOf, hasFormat } from './formats.ts'
import { fieldOf, inside, newShape, type Shape } from './shape.ts'

/** How deep values are looked into: what is below is any object or list. */
export const DEEPEST = 20

/** So many places are told apart in one resource; further names are those of a dictionary. */
export const MOST_PLACES = 10_000

/** Where the survey is: in a list, or in the fields of an object. */
interface Visit {
  readonly shape: Shape
  readonly depth: number
  readonly values: readonly unknown[]
  /** The names of the values, for an object. */
  readonly names: readonly string[] | undefined
  at: number
}

/**
 * The shape of all these values. Looks at every one of them once, so that what it says of all is true of all; takes
 * time in proportion to the data, in slices, and memory for the places that the bounds allow.
 */
export function* survey(values: readonly unknown[]): Work<Shape> {
  const root = newShape()
  const visits: Visit[] = [{ shape: root, depth: 0, values, names: undefined, at: 0 }]
  let places = 0
  let steps = 0

  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    if (visit.at >= visit.values.length) {
      visits.pop()
      continue
    }
    const { shape, depth, names, values } = visit
    const at = visit.at++
    const place = names === undefined ? shape : placeOf(shape, names[at] ?? '')
    const inside = look(place, values[at], depth)
    if (inside) visits.push(inside)
    if (++steps % STRETCH === 0) yield
  }
  return root

  function placeOf(shape: Shape, name: string): Shape {
    const before = shape.fields.size
    const place = fieldOf(shape, name, places < MOST_PLACES)
    if (shape.fields.size === before) return place
    places++
    // What a secret looks like is nobody's business either.
    if (isSecretName(name)) place.format = null
    return place
  }
}

/** Counts a value; gives what is to be looked at inside of it. */
function look(shape: Shape, value: unknown, depth: number): Visit | undefined {
  switch (typeof value) {
    case 'string':
      shape.strings++
      if (shape.format !== null) shape.format = sameFormat(shape, value)
      return undefined
    case 'number':
      // What JSON cannot say is sent as null.
      if (!Number.isFinite(value)) shape.nulls++
      else if (Number.isInteger(value)) shape.integers++
      else shape.fractions++
      return undefined
    case 'boolean':
      shape.booleans++
      return undefined
    case 'object':
      return value === null ? void shape.nulls++ : lookInside(shape, value, depth)
    default:
      // JSON has no place for it: a field of that kind is as good as missing.
      return undefined
  }
}

function lookInside(shape: Shape, value: object, depth: number): Visit | undefined {
  const isList = Array.isArray(value)
  if (isList) shape.lists++
  else shape.objects++
  if (depth >= DEEPEST) return undefined
  if (isList) {
    return { shape: inside(shape, 'items'), depth: depth + 1, values: value, names: undefined, at: 0 }
  }
  return { shape, depth: depth + 1, values: Object.values(value), names: Object.keys(value), at: 0 }
}

/** The first string proposes a format, and all others have to have it. */
function sameFormat({ format }: Shape, text: string): Shape['format'] {
  if (format === undefined) return formatOf(text) ?? null
  return format !== null && hasFormat(format, text) ? format : null
}
