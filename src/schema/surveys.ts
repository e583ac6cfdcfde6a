import { SingleFlight } from '../util/single-flight.ts'
import { exampleOf } from './example.ts'
import type { JsonSchema } from './json-schema.ts'
import { schemaOf } from './schema-of.ts'
import { survey } from './survey.ts'

export interface Readable {
  readonly values: readonly unknown[]
  readonly isCurrent: () => boolean
}

export interface Surveyed {
  readonly schema: JsonSchema
  /** With its secrets masked; undefined if there is none. */
  readonly example: unknown
}

/** Inferred schemas, cached until their resource changes: to keep them up would slow writes, and cannot subtract a row. */
export class Surveys {
  readonly #kept = new SingleFlight<Surveyed>({ isKept: true })

  /** Concurrent requests share one survey. */
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
