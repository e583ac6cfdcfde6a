import type { CommitMeta } from '../change.ts'
import type { Row } from '../types.ts'
import type { Difference } from './diff.ts'

/** What one change did, also where several were saved together. */
export interface Commit {
  readonly version: number
  readonly time: number
  /** The resources that are not what they were. */
  readonly names: readonly string[]
  /** Undefined where everything was replaced, by a change or from outside. */
  readonly effects: readonly Effect[] | undefined
  /** What its rows before and after take, as JSON. */
  readonly bytes: number
  /** The newest change that was not undone, right after this one: tells states of the data apart. */
  readonly top: number
  /** Who asked for it: what `WriteOptions` gave. Plain JSON. */
  readonly meta: CommitMeta
  readonly undoes?: readonly number[] | undefined
  readonly redoes?: readonly number[] | undefined
  /** Everything was replaced by what came from outside, such as a file that somebody edited. */
  readonly isOutside?: boolean
}

export type Effect = RowsEffect | ObjectEffect

/** Rows that were added have no `before`, those that were removed no `after`. In the order of their ranks. */
export interface RowsEffect {
  readonly kind: 'rows'
  readonly name: string
  readonly rows: readonly Difference<Row>[]
}

export interface ObjectEffect {
  readonly kind: 'object'
  readonly name: string
  readonly before: Row
  readonly after: Row
}
