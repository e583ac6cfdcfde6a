import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from './change.ts'
import type { Commit, SharedPast, SubscribeOptions } from './commit.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from './question.ts'
import type { Rules } from './resource-rules.ts'
import type { Naming } from './types.ts'
import type { View } from './view.ts'

export type MaybePromise<T> = T | Promise<T>

/** What is served. Synchronous in every engine: routing asks on every request. */
export interface Catalog {
  readonly naming: Naming
  names(): readonly string[]
  /** Whether a name is a collection, a single object, or nothing that is served. */
  kindOf(name: string): 'collection' | 'object' | undefined
}

/** Where data is kept: two verbs and an ear. Everything above storage knows engines by this and nothing else. */
export interface Engine extends Catalog {
  /** A value where the engine has it at hand, so that the fast path stays synchronous. */
  read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): MaybePromise<Reading<FoundByKind[K]>>
  /** Resolves once the change is durable. Rejects with a `StorageError`, and then nothing was changed. */
  write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]>
  /**
   * Hears each commit, in order, as soon as it can be read and before its `write` resolves.
   * @returns how to stop listening
   */
  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void
  /**
   * Whether nobody else can change in place what `write` resolves with. May become false at any time, and then stays
   * so. Absent where it never does.
   */
  isStable?(): boolean
  /**
   * Writes obey these rules from now on, in every way there is to write; undefined for none. `apply` and
   * `replace-database` are not judged. Absent where an engine cannot enforce rules.
   */
  useRules?(rules: Rules | undefined): void
  /** Whether the rules name a field of a collection, so that a query may ask for it though no row has it. */
  declares?(collection: string, field: string): boolean
  /**
   * Whether the data is elsewhere, and may be more than fits here: who can do with a part of it reads no more. Who has
   * such an engine no longer needs it closes it.
   */
  readonly isRemote?: boolean | undefined
  /** Absent where a server has the data to itself. */
  readonly shared?: Shared | undefined
  /**
   * Rejects, soon, with `SOURCE_UNAVAILABLE` if the data cannot be reached now. Absent where it always can.
   */
  check?(): Promise<void>
  /** Takes over what others changed underneath; false if there was nothing new. */
  refresh(): Promise<boolean>
  /**
   * Goes back to the content that came from outside last; one commit without effects. Absent where the engine does not keep
   * that itself.
   */
  rewind?(options?: Pick<WriteOptions, 'note'>): Promise<void>
  /** Absent where the engine keeps no copies itself. */
  readonly images?: Images
  /** What happened to the data, where the engine keeps that itself. */
  readonly past?: SharedPast
  /**
   * An engine with a copy of the data as of now, kept in memory only. Neither sees what the other changes. Absent where
   * only reading everything makes a copy.
   */
  fork?(): MaybePromise<Fork>
  /** Resolves when everything that was asked for so far is durable, or was refused. */
  close(): Promise<void>
}

/** Copies of everything, by name, that an engine keeps where its data is. Engines that share the data share them. */
export interface Images {
  names(): Promise<readonly string[]>
  /** Makes one of the data as of now, under the first of these names that is not taken. Resolves with that name. */
  save(names: Iterable<string>): Promise<string>
  /**
   * Goes back to one; one commit without effects. Resolves with what is there then, or undefined if there is none of that
   * name.
   */
  restore(name: string): Promise<Counts | undefined>
  /** False if there is none of that name. */
  remove(name: string): Promise<boolean>
}

/** How many rows each collection has. */
export type Counts = Readonly<Record<string, number>>

/** A copy of an engine's data, such as a session has. */
export interface Fork extends Engine {
  /** The memory taken by what it does not share, in bytes, estimated. */
  readonly bytes: number
  /** Goes back to what it was a copy of; one commit without effects. */
  reset(options?: Pick<WriteOptions, 'note'>): Promise<void>
}

/** What all servers of the same data share, beside the data. */
export interface Shared {
  /** Random, and the same for all of them. Another one once the data was removed and made again. */
  readonly secret: string
  /** What any of them keeps by this name. */
  read(name: string): Promise<string | undefined>
  /**
   * Keeps another string, or none, in the place of `before`; false if that is not there anymore. Of very many, those that
   * were kept first are forgotten.
   */
  swap(name: string, before: string | undefined, after: string | undefined): Promise<boolean>
}

export interface ReadOptions {
  /** Whether anybody still waits for the answer. Asked by work that others queue for. */
  readonly isWanted?: (() => boolean) | undefined
  /** Finds what it would find if only the rows were there that this client may read. */
  readonly view?: View | undefined
}
