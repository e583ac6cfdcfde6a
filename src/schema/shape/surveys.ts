import { workInSlices } from '../../work/in-slices.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaOf } from './schema-of.ts'
import { survey } from './survey.ts'

/** The values of one resource as they are now. */
export interface Readable {
  readonly values: readonly unknown[]
  /** Whether the same values would be found now; absent where nobody can tell. */
  readonly isCurrent?: (() => boolean) | undefined
}

/**
 * Inferred schemas, made when asked for and kept until their resource changes. Not kept current with each write: that
 * would cost every write something, and a deleted row cannot be taken out again (was it the only one without a format?).
 */
export class Surveys {
  readonly #kept = new Map<string, Kept>()

  /** The schema of the values of a resource. Those who ask while it is being made wait for the same. */
  of(name: string, { values, isCurrent }: Readable): Promise<JsonSchema> {
    const known = this.#kept.get(name)
    // Whoever has written something sees it: what was begun before is then not joined.
    if (known && (known.isCurrent ? known.isCurrent() : known.isPending)) return known.schema
    const kept: Kept = { isPending: true, isCurrent, schema: this.#make(values) }
    this.#kept.set(name, kept)
    const settle = () => {
      kept.isPending = false
    }
    kept.schema.then(settle, () => this.#kept.delete(name))
    return kept.schema
  }

  /** Forgets resources that are no longer there. */
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
