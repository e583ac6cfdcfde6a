import type { Row } from './types.ts'

/** What one change did, also where several were saved together. */
export interface Commit {
  /** The resources that are not what they were. */
  readonly names: readonly string[]
  /** Absent where everything was replaced, by a change or from outside, and where nobody asked for them. */
  readonly effects?: readonly Effect[]
  /** What `WriteOptions` gave. */
  readonly note?: unknown
  /** Everything was replaced by what came from outside, such as a file that somebody edited. */
  readonly isOutside?: boolean
}

/** What a commit did to one resource, row by row. */
export type Effect = RowsEffect | ObjectEffect

/**
 * Simultaneous: `removed` tells places of before the commit, `added` those of after it. To undo, take out what was added,
 * put back what was replaced, and merge what was removed in at its places, lowest first.
 */
export interface RowsEffect {
  readonly kind: 'rows'
  readonly name: string
  readonly removed: readonly PlacedRow[]
  readonly added: readonly PlacedRow[]
  /** Found by their id, which both have. */
  readonly replaced: readonly { readonly before: Row; readonly after: Row }[]
}

export interface ObjectEffect {
  readonly kind: 'object'
  readonly name: string
  readonly before: Row
  readonly after: Row
}

export interface PlacedRow {
  readonly row: Row
  /** How many rows stand before it. */
  readonly place: number
  /** Another row has the same id. */
  readonly isTwin?: boolean
}

export interface SubscribeOptions {
  /** Whether commits are to carry effects. They are worked out only while somebody wants them. @default false */
  readonly effects?: boolean
}
