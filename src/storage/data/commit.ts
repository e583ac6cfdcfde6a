import type { CommitMeta } from '../change.ts'
import type { Row } from '../types.ts'
import type { Difference } from './diff.ts'

/** The effects of one change, even if several were saved together. */
export interface Commit {
  readonly version: number
  readonly time: number
  readonly names: readonly string[]
  /** Undefined if everything was replaced, by a change or from outside. */
  readonly effects: readonly Effect[] | undefined
  /** Of its rows before and after, as JSON. */
  readonly bytes: number
  /** The newest change that is not undone after this one: names the state of the data. */
  readonly top: number
  readonly meta: CommitMeta
  readonly undoes?: readonly number[] | undefined
  readonly redoes?: readonly number[] | undefined
  /** Everything was replaced from outside, such as by an edited file. */
  readonly isOutside?: boolean
}

export type Effect = RowsEffect | ObjectEffect

/** Added rows have no `before`, removed ones no `after`. By ascending rank. */
export interface RowsEffect {
  readonly kind: 'rows'
  readonly name: string
  readonly rows: readonly Difference<Row>[]
}

interface ObjectEffect {
  readonly kind: 'object'
  readonly name: string
  readonly before: Row
  readonly after: Row
}
