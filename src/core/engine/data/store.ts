import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import type { Data, Row } from '../types.ts'
import type { Database } from './database.ts'
import type { Difference } from './tree.ts'

export interface CommitMeta {
  readonly method?: string
  readonly url?: string
  readonly session?: string
  /** Rows that a read brought from elsewhere: nobody changed the data, so nobody is told. */
  readonly isRecorded?: boolean
}

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

/** By ascending rank. */
export interface RowsEffect {
  readonly kind: 'rows'
  readonly name: string
  readonly rows: readonly Difference<Row>[]
  /** The collection itself came, or went. */
  readonly made?: 'created' | 'removed'
}

interface ObjectEffect {
  readonly kind: 'object'
  readonly name: string
  readonly before: Row
  readonly after: Row
}

export interface PreparedCommit {
  readonly before: Database
  readonly after: Database
  /** Commits in order, none empty. */
  readonly commits: readonly Commit[]
  /** Before them. */
  readonly recorded: RecordedRange
}

/** Changes of other processes: one by one, in order, or the content where that is impossible. */
export type ForeignCommits =
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | {
      readonly kind: 'content'
      /** As stored, hidden fields included. */
      readonly data: Data | Database
      /** By default, a new one. Content of the version that the engine has is no commit. */
      readonly version?: number
      /** Where versions are stored. */
      readonly past?: StoredHistory
      /** The data that a reset restores from now on. */
      readonly origin?: Data | Database
    }

interface Start {
  /** All changes after this version are recorded. */
  readonly base: number
  /** The state before the oldest change that can be undone. */
  readonly bottom: number
}

/** Which changes are recorded. */
export interface RecordedRange extends Start {
  /** Versions up to `base` that can be undone or redone. */
  readonly older: readonly number[]
}

/** Recorded changes, for undo, redo and followers: adding them to a history yields the same one, even if some are left over. */
export interface StoredHistory extends Start {
  /** In order: all after `base`, and older ones that can be undone or redone. */
  readonly commits: readonly Commit[]
}

export type PrepareCommit = (news: ForeignCommits | undefined) => Promise<PreparedCommit | undefined>

export interface CommitOptions {
  /** The version that the engine has: a later one once it took news over. */
  readonly since: () => number
  /** Then changes of other processes need not be readable. */
  readonly replacesAll: boolean
}

/** Persistence. Asked for news, or to commit, once at a time. */
export interface Store {
  /**
   * Runs `change` under a lock, with the changes of other processes, and resolves once its result is durable. If one
   * of them writes in spite of the lock, `change` runs again. If it rejects, or the store does, nothing was changed.
   */
  commit(change: PrepareCommit, options: CommitOptions): Promise<void>
  news(since: number): Promise<ForeignCommits | undefined>
  /** Whether there is news that the next read must see. Absent, or undefined, where there can be none. */
  hasNews?(since: number): Promise<boolean> | undefined
  /** Calls back when another process may have written. Returns how to stop. */
  follow(changed: () => void): () => void
  /** Rejects soon with `SOURCE_UNAVAILABLE` if the data cannot be reached. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Why what some change of a group leaves cannot be stored. The others may be. */
export class Unstorable extends StorageError {
  constructor(message: string) {
    super('WRITE_FAILED', message)
  }
}

/** Saves nothing: the data lives as long as the engine. */
export class MemoryStore implements Store {
  async commit(change: PrepareCommit, _options: CommitOptions): Promise<void> {
    await change(undefined)
  }

  async news(_since: number): Promise<ForeignCommits | undefined> {
    return undefined
  }

  follow(_changed: () => void): () => void {
    return () => {}
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
