import { isSecretName } from '../layers/parts/secrets.ts'
import { Pace } from '../util/pace.ts'
import { SingleFlight } from '../util/single-flight.ts'
import { exampleOf } from './example.ts'
import { formatOf, hasFormat } from './formats.ts'
import type { JsonSchema } from './json-schema.ts'
import { fieldOf, inside, newShape, type Shape, schemaOf } from './shape.ts'

export interface Readable {
  readonly values: readonly unknown[]
  readonly isCurrent: () => boolean
}

export interface Surveyed {
  readonly schema: JsonSchema
  readonly example: unknown
}

/** Inferred schemas, cached until their resource changes: updating them would slow writes, and cannot subtract a row. */
export class Surveys {
  readonly #kept = new SingleFlight<Surveyed>({ isKept: true })

  of(name: string, { values, isCurrent }: Readable): Promise<Surveyed> {
    return this.#kept.get(name, isCurrent, async () => {
      const schema = schemaOf(await survey(values))
      return { schema, example: exampleOf(values[0]) }
    })
  }

  keepOnly(names: ReadonlySet<string>): void {
    this.#kept.keepOnly(names)
  }
}

/** Values are inspected down to this depth; below it, any object or list goes. */
export const DEEPEST = 20

/** Distinct paths per resource; further names are treated as keys of a dictionary. */
export const MOST_PATHS = 10_000

/** The shape of all values, each visited once. Linear in time, bounded in memory. */
export async function survey(values: readonly unknown[]): Promise<Shape> {
  const root = newShape()
  const surveyor = new Surveyor()
  const pace = new Pace()
  for (const value of values) {
    surveyor.visit(root, value, 0)
    if (pace.isDue) await pace.turn()
  }
  return root
}

class Surveyor {
  #places = 0

  visit(shape: Shape, value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        shape.strings++
        if (shape.format !== null) shape.format = sameFormat(shape, value)
        break
      case 'number':
        // Serialized as null.
        if (!Number.isFinite(value)) shape.nulls++
        else if (Number.isInteger(value)) shape.integers++
        else shape.fractions++
        break
      case 'boolean':
        shape.booleans++
        break
      case 'object':
        if (value === null) shape.nulls++
        else this.#lookInside(shape, value, depth)
      // Anything else is not representable in JSON, so the field counts as missing.
    }
  }

  #lookInside(shape: Shape, value: object, depth: number): void {
    const isList = Array.isArray(value)
    if (isList) shape.lists++
    else shape.objects++
    if (depth >= DEEPEST) return
    if (isList) {
      const items = inside(shape, 'items')
      for (const item of value) this.visit(items, item, depth + 1)
    } else {
      for (const name of Object.keys(value)) {
        this.visit(this.#placeOf(shape, name), Reflect.get(value, name), depth + 1)
      }
    }
  }

  #placeOf(shape: Shape, name: string): Shape {
    const before = shape.fields.size
    const field = fieldOf(shape, name, this.#places < MOST_PATHS)
    if (shape.fields.size === before) return field
    this.#places++
    // Would reveal something about the secret.
    if (isSecretName(name)) field.format = null
    return field
  }
}

/** The first string proposes a format, which all others must have. */
function sameFormat({ format }: Shape, text: string): Shape['format'] {
  if (format === undefined) return formatOf(text) ?? null
  return format !== null && hasFormat(format, text) ? format : null
}
