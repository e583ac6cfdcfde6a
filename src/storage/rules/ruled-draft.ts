import type { Work } from '../../work/in-slices.ts'
import type { Catalog } from '../engine.ts'
import { groupByKeys } from '../index/keyed-index.ts'
import { waitForLookup } from '../index/lookup.ts'
import type { KeyColumn, Lookup, Reader, Row } from '../types.ts'

/** The data as a change would leave it, as far as rules look at it. */
export interface RuledDraft extends Reader, Catalog {
  /** Rows by a computed key. A promise while an index for it is being built: then ask again. Undefined if there is none. */
  keyed(collection: string, column: KeyColumn): Lookup | Promise<void> | undefined
  object(name: string): Row | undefined
  replace(collection: string, old: Row, next: Row): void
}

/** Rows by a computed key: through an index if there is one, else grouped once. Valid until the next change. */
export function* keyedIn(draft: RuledDraft, collection: string, column: KeyColumn): Work<Lookup> {
  const lookup = yield* waitForLookup(() => draft.keyed(collection, column))
  return lookup ?? (yield* groupByKeys(draft.rows(collection)?.slice() ?? [], column))
}
