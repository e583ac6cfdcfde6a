import type { Random } from '../../core/kernel/util/random.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

/** Makes values like those that it was made from. */
export type Maker<T = unknown> = (random: Random) => T

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

export interface Learning {
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

/** Once this many values in succession did not fit, none is expected to. */
const MOST_MISSES = 3 * TRIES

/** The first value that fits; after many that do not, `otherwise`. */
export function firstFitting<T>(
  make: Maker<T>,
  isFitting: (value: T) => boolean,
  otherwise: Maker<T>,
): Maker<T> {
  let misses = 0
  return (random) => {
    for (let attempt = 0; attempt < TRIES && misses < MOST_MISSES; attempt++) {
      const value = make(random)
      misses = isFitting(value) ? 0 : misses + 1
      if (misses === 0) return value
    }
    return otherwise(random)
  }
}

export function inside(place: ValuePlace, name: string, schema: JsonSchema = {}): ValuePlace {
  const path = place.path === '' ? name : `${place.path}.${name}`
  return { ...place, name, path, depth: place.depth + 1, schema }
}

/** Makes objects with these fields, which stay as they are, and without those that only some objects have. */
export type ObjectMaker = (random: Random, sent?: GrownRow, isSparse?: boolean) => GrownRow

export type GrownRow = Record<string, unknown>

export function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}
