import type { Store } from '../storage/store.ts'

/** What every part of the router works with. */
export interface RouterContext {
  readonly store: Store
  /** Writes are answered as if they had happened, and nothing is stored. */
  readonly isFake: boolean
  /** A deleted row takes the rows that depend on it with it. */
  readonly cascade: boolean
}

/** What is to be sent; undefined is a 404. */
export type Answer = { readonly status?: number; readonly data: unknown } | undefined
