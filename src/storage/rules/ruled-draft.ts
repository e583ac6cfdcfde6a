import type { Pace } from '../../work/pace.ts'
import type { Column } from '../data/index.ts'
import type { Lookup } from '../data/lookup.ts'
import type { Source } from '../data/source.ts'
import type { Row } from '../types.ts'

/** The data as a change would leave it, as far as rules look at it. */
export interface RuledDraft extends Source {
  readonly pace: Pace
  find(collection: string, id: unknown): Promise<Row | undefined>
  /** Rows by a computed key. Valid until the next change. */
  keyed(collection: string, column: Column): Promise<Lookup>
  replace(collection: string, old: Row, next: Row): Promise<void>
}
