import { SingleFlight } from '../../work/single-flight.ts'
import { exampleOf } from '../example.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaOf } from './schema-of.ts'
import { survey } from './survey.ts'

/** The current values of one resource. */
export interface Readable {
  readonly values: readonly unknown[]
  /** Whether the values are still the same. */
  readonly isCurrent: () => boolean
}

/** What the values of a resource have in common, and the first of them. */
export interface Surveyed {
  readonly schema: JsonSchema
  /** With its secrets masked; undefined if there is none. */
  readonly example: unknown
}

/**
 * Inferred schemas, computed on demand and cached until their resource changes. They are not maintained on each write:
 * that would slow every write down, and a deleted row cannot be subtracted (was it the only one without a format?).
 */
export class Surveys {
  readonly #kept = new SingleFlight<Surveyed>({ isKept: true })

  /** Concurrent requests share one survey. */
  of(name: string, { values, isCurrent }: Readable): Promise<Surveyed> {
    return this.#kept.get(name, isCurrent, async () => {
      const schema = schemaOf(await survey(values))
      return { schema, example: exampleOf(values[0]) }
    })
  }

  /** Drops resources that no longer exist. */
  keepOnly(names: ReadonlySet<string>): void {
    this.#kept.keepOnly(names)
  }
}
