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
  /** Told on request, by an engine that keeps its history itself; absent if it cannot tell what happened. */
  readonly logged?: Logged
  /** The version that is there instead, where an engine that keeps its history cannot tell what happened until then. */
  readonly upTo?: number
}

/** The place of a commit in the history that an engine keeps. */
export interface Logged {
  readonly version: number
  /** By the clock of the server that made it, in milliseconds since 1970. */
  readonly time: number
  /** What its rows before and after take, as JSON. */
  readonly bytes: number
  /** The newest change that was not undone, right after this one. */
  readonly top: number
  /** The changes that it took back. */
  readonly undoes?: readonly number[]
  /** The changes that it made again. */
  readonly redoes?: readonly number[]
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
  /** Whether they are to tell their place in the history that the engine keeps itself, if it does. @default false */
  readonly logged?: boolean
}

export type Direction = 'undo' | 'redo'

/** A history that an engine keeps itself, so that it is the same for all who use the data, and outlives them. */
export interface SharedPast {
  /** What is kept now. */
  read(): Promise<KeptPast>
  /**
   * Goes back or forth: one step, or to the state right after version `to`. Judged where it is committed, so that no change
   * is undone twice. Resolves with the versions that were undone or redone, in that order. Rejects with `NOTHING_TO_UNDO`,
   * `NOTHING_TO_REDO`, `HISTORY_GONE` or, where the data does not match, `CONFLICT`.
   */
  move(direction: Direction, options: MoveOptions): Promise<readonly number[]>
}

export interface MoveOptions {
  readonly to?: number | undefined
  /** Handed on in the commit. */
  readonly note?: unknown
}

export interface KeptPast {
  /** All commits after this version are kept. */
  readonly base: number
  /** The state before the oldest change that can be undone. */
  readonly bottom: number
  /** In order: all after `base`, and older ones that can be undone or redone. Each is `logged`. */
  readonly commits: readonly Commit[]
}
