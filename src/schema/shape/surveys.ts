import { workInSlices } from '../../work/in-slices.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaOf } from './schema-of.ts'
import { survey } from './survey.ts'

/** The current values of one resource. */
export interface Readable {
  readonly values: readonly unknown[]
  /** Whether the values are still the same; absent if that cannot be known. */
  readonly isCurrent?: (() => boolean) | undefined
}

/**
 * Inferred schemas, computed on demand and cached until their resource changes. They are not maintained on each write:
 * that would slow every write down, and a deleted row cannot be subtracted (was it the only one without a format?).
 */
export class Surveys {
  readonly #kept = new Map<string, Kept>()

  /** The schema of a resource's values. Concurrent requests share one survey (single-flight). */
  of(name: string, { values, isCurrent }: Readable): Promise<JsonSchema> {
    const known = this.#kept.get(name)
    // Clients see their own writes: a survey that began before the last change is not shared.
    if (known && (known.isCurrent ? known.isCurrent() : known.isPending)) return known.schema
    const kept: Kept = { isPending: true, isCurrent, schema: this.#make(values) }
    this.#kept.set(name, kept)
    const settle = () => {
      kept.isPending = false
    }
    kept.schema.then(settle, () => this.#kept.delete(name))
    return kept.schema
  }

  /** Drops resources that no longer exist. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#kept.keys()) if (!names.has(name)) this.#kept.delete(name)
  }

  async #make(values: readonly unknown[]): Promise<JsonSchema> {
    return schemaOf(await workInSlices(survey(values)))
  }
}

interface Kept {
  isPending: boolean
  readonly isCurrent: (() => boolean) | undefined
  readonly schema: Promise<JsonSchema>
}
