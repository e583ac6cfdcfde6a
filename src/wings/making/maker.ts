import type { Row } from '../../core/engine/types.ts'
import type { Random } from '../../core/kernel/util/random.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'

/** Makes values like those that it was made from. */
export type Maker<T = unknown> = (random: Random) => T

/** Makes objects with these fields, which stay as they are. `isSparse` leaves out fields that only some objects have. */
export type ObjectMaker = (random: Random, sent?: Row, isSparse?: boolean) => Row

/** Where values are, and what is known of them there. */
export interface ValuePlace {
  readonly resource: string
  readonly name: string
  /** Dotted, from the row; without the indexes of lists. */
  readonly path: string
  readonly depth: number
  readonly schema: JsonSchema
  readonly learning: Learning
}

/** Finds the generator of @faker-js/faker for a place whose values look like its own. Without values, the name decides. */
export type Fakes = (place: ValuePlace, values: readonly string[]) => Maker<string> | undefined

interface Learning {
  readonly fakes?: Fakes | undefined
  /** Makers of the keys of parents, by path. */
  readonly keys: ReadonlyMap<string, Maker>
  /** Paths that the server fills in, or hides. */
  readonly left: ReadonlySet<string>
  /** A maker for values at a place, whatever they are: objects and lists hold more of them. */
  valueMaker(values: readonly unknown[], place: ValuePlace): Maker
}

/** Values are tried this many times until one fits. */
export const TRIES = 20

export function inside(place: ValuePlace, name: string, schema: JsonSchema = {}): ValuePlace {
  const path = place.path === '' ? name : `${place.path}.${name}`
  return { ...place, name, path, depth: place.depth + 1, schema }
}

export function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}
