import { Lru } from '../../../lru.ts'
import type { ListQuery } from '../../types.ts'
import type { Resource } from '../layout/catalog.ts'

/** What is kept of a collection: totals, by their filters, in characters. */
const MOST_CHARACTERS = 200_000

/** There is another resource for each version of a collection: what is known of the old one goes with it. */
const known = new WeakMap<Resource, Lru<string, number>>()

/** How many rows pass a filter. To count them again may cost more than the page that is asked for. */
export class Total {
  readonly #resource: Resource
  /** Undefined if all rows pass. */
  readonly #filter: string | undefined

  /** @param hidden fields that the filter does not find */
  constructor(resource: Resource, { where, search }: ListQuery, hidden: readonly string[]) {
    this.#resource = resource
    const isAll = where.length === 0 && search === undefined
    this.#filter = isAll ? undefined : JSON.stringify([where, search, hidden])
  }

  /** Undefined until it was counted. */
  get value(): number | undefined {
    return this.#filter === undefined ? this.#resource.rows : known.get(this.#resource)?.get(this.#filter)
  }

  learn(total: number): void {
    if (this.#filter === undefined) return
    const totals =
      known.get(this.#resource) ??
      new Lru<string, number>({ limit: MOST_CHARACTERS, sizeOf: (_, filter) => filter.length })
    known.set(this.#resource, totals)
    totals.set(this.#filter, total)
  }
}
