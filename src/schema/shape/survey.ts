import { isSecretName } from '../../layers/mask/secrets.ts'
import { STRETCH, type Work } from '../../work/in-slices.ts'
import { formatOf, hasFormat } from './formats.ts'
import { fieldOf, inside, newShape, type Shape } from './shape.ts'

/** Values are inspected down to this depth; below it, any object or list goes. */
export const DEEPEST = 20

/** Distinct paths per resource; further names are treated as keys of a dictionary. */
export const MOST_PLACES = 10_000

/** The position of the survey in a list, or in the fields of an object. */
interface Visit {
  readonly shape: Shape
  readonly depth: number
  /** A list, or an object together with the names of its fields. */
  readonly values: object
  readonly names: readonly string[] | undefined
  readonly length: number
  at: number
}

/**
 * The shape of all these values. Visits each of them once, so that what it claims of all holds for all. Takes linear
 * time, in slices, and memory within the bounds.
 */
export function* survey(values: readonly unknown[]): Work<Shape> {
  const root = newShape()
  const visits: Visit[] = [listVisit(root, values, 0)]
  let places = 0
  let steps = 0

  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    if (visit.at >= visit.length) {
      visits.pop()
      continue
    }
    const { shape, depth, names, values } = visit
    const at = visit.at++
    const name = names?.[at]
    const place = name === undefined ? shape : placeOf(shape, name)
    const inside = look(place, Reflect.get(values, name ?? at), depth)
    if (inside) visits.push(inside)
    if (++steps % STRETCH === 0) yield
  }
  return root

  function placeOf(shape: Shape, name: string): Shape {
    const before = shape.fields.size
    const place = fieldOf(shape, name, places < MOST_PLACES)
    if (shape.fields.size === before) return place
    places++
    // The format of a secret would give something away.
    if (isSecretName(name)) place.format = null
    return place
  }
}

/** Counts a value; returns its contents to visit. */
function look(shape: Shape, value: unknown, depth: number): Visit | undefined {
  switch (typeof value) {
    case 'string':
      shape.strings++
      if (shape.format !== null) shape.format = sameFormat(shape, value)
      return undefined
    case 'number':
      // Serialized as null.
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
      // Not representable in JSON, so the field counts as missing.
      return undefined
  }
}

function lookInside(shape: Shape, value: object, depth: number): Visit | undefined {
  const isList = Array.isArray(value)
  if (isList) shape.lists++
  else shape.objects++
  if (depth >= DEEPEST) return undefined
  if (isList) return listVisit(inside(shape, 'items'), value, depth + 1)
  const names = Object.keys(value)
  return { shape, depth: depth + 1, values: value, names, length: names.length, at: 0 }
}

function listVisit(shape: Shape, values: readonly unknown[], depth: number): Visit {
  return { shape, depth, values, names: undefined, length: values.length, at: 0 }
}

/** The first string proposes a format, and all others have to have it. */
function sameFormat({ format }: Shape, text: string): Shape['format'] {
  if (format === undefined) return formatOf(text) ?? null
  return format !== null && hasFormat(format, text) ? format : null
}
