import type { Format } from './formats.ts'

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

export function countOf(shape: Shape): number {
  return COUNTS.reduce((sum, kind) => sum + shape[kind], 0)
}

const COUNTS = ['nulls', 'booleans', 'integers', 'fractions', 'strings', 'objects', 'lists'] as const

export function addShape(to: Shape, from: Shape): void {
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
  const known = shape.fields.get(name)
  if (known) return known
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
