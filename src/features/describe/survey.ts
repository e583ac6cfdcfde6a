import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { SingleFlight } from '../../core/kernel/util/single-flight.ts'
import { formatOf, hasFormat } from '../../wings/schemas/formats.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { exampleOf } from './example.ts'
import { fieldOf, inside, newTally, schemaOf, type Tally } from './tally.ts'

export interface Readable {
  readonly values: readonly unknown[]
  readonly isCurrent: () => boolean
}

interface Surveyed {
  readonly schema: JsonSchema
  readonly example: unknown
}

/** Inferred schemas, cached until their resource changes: updating them would slow writes, and cannot subtract a row. */
export type Surveys = SingleFlight<Surveyed>

export async function surveyed(values: readonly unknown[]): Promise<Surveyed> {
  return { schema: schemaOf(await survey(values)), example: exampleOf(values[0]) }
}

/** Values are inspected down to this depth; below it, any object or list goes. */
export const DEEPEST = 20

/** Distinct paths per resource; further names are treated as keys of a dictionary. */
export const MOST_PATHS = 10_000

/** Characters of their names: a description has each of them dozens of times. */
const MOST_CHARACTERS = 200_000

/** The tally of all values, each visited once. Linear in time, bounded in memory. */
export async function survey(values: readonly unknown[]): Promise<Tally> {
  const root = newTally()
  const surveyor = new Surveyor()
  const pace = new TimeSlice()
  for (const value of values) {
    surveyor.visit(root, value, 0)
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return root
}

class Surveyor {
  #places = 0
  #characters = 0

  visit(tally: Tally, value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        tally.string++
        if (tally.format !== null) tally.format = sameFormat(tally, value)
        break
      case 'number':
        // Serialized as null.
        if (!Number.isFinite(value)) tally.null++
        else if (Number.isInteger(value)) tally.integer++
        else tally.number++
        break
      case 'boolean':
        tally.boolean++
        break
      case 'object':
        if (value === null) tally.null++
        else this.#lookInside(tally, value, depth)
      // Anything else is not representable in JSON, so the field counts as missing.
    }
  }

  #lookInside(tally: Tally, value: object, depth: number): void {
    const isList = Array.isArray(value)
    if (isList) tally.array++
    else tally.object++
    if (depth >= DEEPEST) return
    if (isList) {
      const items = inside(tally, 'items')
      for (const item of value) this.visit(items, item, depth + 1)
    } else {
      for (const name of Object.keys(value)) {
        this.visit(this.#placeOf(tally, name), Reflect.get(value, name), depth + 1)
      }
    }
  }

  #placeOf(tally: Tally, name: string): Tally {
    const before = tally.fields.size
    const mayAdd = this.#places < MOST_PATHS && this.#characters + name.length <= MOST_CHARACTERS
    const field = fieldOf(tally, name, mayAdd)
    if (tally.fields.size > before) {
      this.#places++
      this.#characters += name.length
    }
    return field
  }
}

/** The first string proposes a format, which all others must have. */
function sameFormat({ format }: Tally, text: string): Tally['format'] {
  if (format === undefined) return formatOf(text) ?? null
  return format !== null && hasFormat(format, text) ? format : null
}
