import type { Format } from './formats.ts'

/** What the values at one place are: how many of each kind, and what is inside of them. */
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
  /** What objects hold, by name. */
  readonly fields: Map<string, Shape>
  /** What they hold under names of which there are too many. */
  rest: Shape | undefined
  /** The entries of lists. */
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

/** How many values were seen. */
export function countOf(shape: Shape): number {
  return COUNTS.reduce((sum, kind) => sum + shape[kind], 0)
}

const COUNTS = ['nulls', 'booleans', 'integers', 'fractions', 'strings', 'objects', 'lists'] as const

/** Adds to a shape what another has seen. */
export function addShape(to: Shape, from: Shape): void {
  for (const kind of COUNTS) to[kind] += from[kind]
  if (from.format !== undefined) {
    to.format = to.format === undefined || to.format === from.format ? from.format : null
  }
  for (const [name, field] of from.fields) addShape(fieldOf(to, name), field)
  if (from.rest) addShape(inside(to, 'rest'), from.rest)
  if (from.items) addShape(inside(to, 'items'), from.items)
}

/** The shape of a field; beyond the bound, that of all the others. */
export function fieldOf(shape: Shape, name: string, mayAdd = true): Shape {
  const known = shape.fields.get(name)
  if (known) return known
  if (!mayAdd || shape.fields.size >= MOST_FIELDS) return inside(shape, 'rest')
  const field = newShape()
  shape.fields.set(name, field)
  return field
}

/** The shape of what is inside, made where there is none yet. */
export function inside(shape: Shape, part: 'rest' | 'items'): Shape {
  shape[part] ??= newShape()
  return shape[part]
}

/** So many names are told apart in one place. An object with more is a dictionary, whatever its author calls it. */
export const MOST_FIELDS = 1000
