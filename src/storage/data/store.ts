import type { Data } from '../types.ts'
import type { Commit } from './commit.ts'
import type { Database } from './database.ts'

export interface Next {
  readonly before: Database
  readonly after: Database
  /** The changes one by one, in order. None of them is empty. */
  readonly commits: readonly Commit[]
  /** `before` is not what is stored, since the owner of the data changed it in place: everything is saved again. */
  readonly isDetached?: boolean | undefined
}

/** What others did to the stored data: changes, in order, or everything where those cannot be told. */
export type News =
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | {
      readonly kind: 'content'
      /** Rows as they are stored, what is hidden included. */
      readonly data: Data | Database
      /** The version that this is, where versions are stored; all that can be told of what led there. */
      readonly past?: Past
      /** Nobody is told, and nothing begins with it: the owner changed an object of its own in place. */
      readonly isQuiet?: boolean
      /** Whether a reset goes back to it from now on. @default true */
      readonly isOutside?: boolean
    }

/** The changes that are kept of stored data, for undo, redo and followers. */
export interface Past {
  /** All changes after this version are kept. */
  readonly base: number
  /** The state before the oldest change that can be undone. */
  readonly bottom: number
  /** In order: all after `base`, and older ones that can be undone or redone. */
  readonly commits: readonly Commit[]
}

/** The resources that a read is about; undefined for all. Only asked where it makes a difference. */
export type Names = () => readonly string[] | undefined

export interface CommitOptions {
  readonly since: number
  /** Whether everything is replaced: what others did makes no difference then, and need not even be readable. */
  readonly replacesAll: boolean
}

/** Where data lives beyond this process. The same news may come more than once: ignore what is not newer. */
export interface Store {
  /**
   * Runs `change` while nobody else can write, with what others did, and resolves once its result is durable. Where they
   * write in spite of it, `change` is run again. If it rejects, or the store does, nothing was changed.
   */
  commit(change: (news: News | undefined) => Promise<Next | undefined>, options: CommitOptions): Promise<void>
  news(since: number): Promise<News | undefined>
  /** What the next read must see, at least of these names. Undefined, without a promise, where nobody else can have written. */
  newsToRead(since: number, names?: Names): Promise<News | undefined> | undefined
  /** Calls back when others may have done something. Returns how to stop. */
  follow(changed: () => void): () => void
  /** Rejects, soon, with `SOURCE_UNAVAILABLE` if the data cannot be reached now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Keeps nothing: the data lives as long as the engine. */
export class MemoryStore implements Store {
  async commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    _options: CommitOptions,
  ): Promise<void> {
    await change(undefined)
  }

  async news(_since: number): Promise<News | undefined> {
    return undefined
  }

  newsToRead(_since: number): Promise<News | undefined> | undefined {
    return undefined
  }

  follow(_changed: () => void): () => void {
    return () => {}
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
