import type { Work } from '../work/in-slices.ts'
import type { Patch } from './apply-patch.ts'
import type { Data, Ignored, ListQuery, Naming, Relations, Row, Selection, Trace } from './types.ts'

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
  /** Takes over what others changed underneath; false if there was nothing new. */
  refresh(): Promise<boolean>
  /** Resolves when everything that was asked for so far is durable, or was refused. */
  close(): Promise<void>
}

export interface ReadOptions {
  /** Whether anybody still waits for the answer. Asked by work that others queue for. */
  readonly isWanted?: (() => boolean) | undefined
}

/** A row counts as not there unless this field of it references this id. */
export interface Within {
  readonly key: string
  readonly id: string
}

interface QuestionFields {
  readonly item: {
    readonly collection: string
    readonly id: string
    readonly relations?: Relations
    readonly within?: Within
  }
  /** Relations included, so that an engine behind a network needs no query per row. */
  readonly list: { readonly collection: string; readonly query: ListQuery }
  readonly object: { readonly name: string }
  readonly database: unknown
  /** How a list is understood and found, instead of its rows. */
  readonly explain: { readonly collection: string; readonly query: ListQuery }
  /** Names of fields that rows have, for suggestions: a sample is enough. */
  readonly fields: { readonly collection: string }
}

export type QuestionKind = keyof QuestionFields

/** `Question` is any of them, `Question<'item'>` one. */
export type Question<K extends QuestionKind = QuestionKind> = {
  [P in K]: { readonly kind: P } & QuestionFields[P]
}[K]

/** What each kind of question finds; undefined is "not there". */
export interface FoundByKind {
  readonly item: Row | undefined
  readonly list: Listing | undefined
  readonly object: Row | undefined
  /** Lists of its own: rows that come and go afterwards are not seen in it. */
  readonly database: Data
  readonly explain: Explanation | undefined
  /** Dots lead into objects. */
  readonly fields: readonly string[] | undefined
}

export type Found<Q extends Question> = FoundByKind[Q['kind']]

/** How a list is understood and found. */
export interface Explanation {
  /** With nothing left that depends on the fields of rows. */
  readonly query: ListQuery
  readonly ignored: readonly Ignored[]
  readonly plan: Readonly<Trace> & {
    /** How many rows passed, before paging. */
    readonly matched: number
  }
}

/** The rows of a list, and what its headers tell: `total`, `page`, `range`. */
export interface Listing extends Omit<Selection, 'items'> {
  readonly rows: readonly Row[] | JoinedList
}

/**
 * A long list with relations. Each row is put together when it is asked for: with a copy of every parent in every row,
 * the list may be many times as large as the data.
 */
export interface JoinedList {
  readonly length: number
  at(index: number): Row | undefined
  /** How many bytes all rows take as JSON, counted no further than the limit. */
  sizeUpTo(limit: number): Work<number>
  /** A copy of all rows, each time. */
  toArray(): readonly Row[]
}

export interface Reading<T> {
  readonly found: T
  /** Whether the same question would find the same now. Absent where the engine cannot tell: nothing is cached then. */
  readonly isCurrent?: (() => boolean) | undefined
  /** Whether nobody else can change `found` in place. May become false at any time, and then stays so. */
  readonly isStable: () => boolean
}

/** Which rows of a collection a change is about: all that a list can be filtered by. */
export type Filter = Omit<ListQuery, 'sort' | 'window' | keyof Relations>

/** Whose rows go with the rows that they depend on. */
export type Dependents = 'all' | readonly string[]

interface ChangeFields {
  /** All rows or, when an id is taken, none. They stand from `place` on, by default at the end. */
  readonly insert: { readonly collection: string; readonly rows: readonly Row[]; readonly place?: number }
  /** The stored id stays. */
  readonly replace: { readonly collection: string; readonly id: string; readonly fields: Row }
  /** Like `replace`, but fields that are not given stay. */
  readonly merge: { readonly collection: string; readonly id: string; readonly fields: Row }
  /** The stored id stays. */
  readonly patch: { readonly collection: string; readonly id: string; readonly patch: Patch }
  readonly remove: { readonly collection: string; readonly id: string; readonly dependents?: Dependents }
  /**
   * All rows that match, or none. Unlike in a read, a filter that names a field no row has is not ignored but refused with
   * `INVALID_QUERY`: it would change more rows than anybody meant.
   */
  readonly 'merge-where': { readonly collection: string; readonly where: Filter; readonly fields: Row }
  readonly 'patch-where': { readonly collection: string; readonly where: Filter; readonly patch: Patch }
  readonly 'remove-where': {
    readonly collection: string
    readonly where: Filter
    readonly dependents?: Dependents
  }
  readonly 'replace-object': { readonly name: string; readonly fields: Row }
  readonly 'merge-object': { readonly name: string; readonly fields: Row }
  readonly 'patch-object': { readonly name: string; readonly patch: Patch }
  readonly 'replace-database': { readonly data: Data }
  /** One after the other, each seeing what those before it left. One commit. */
  readonly batch: { readonly changes: readonly RowChange[] }
  /** Does again what was recorded, unchecked; refused where a row is not what the effects say. Undo and redo. */
  readonly apply: { readonly effects: readonly Effect[] }
}

export type ChangeKind = keyof ChangeFields

/** Plain JSON: can be queued, logged, replayed, sent elsewhere. Each is all or nothing. */
export type Change<K extends ChangeKind = ChangeKind> = {
  [P in K]: { readonly kind: P } & ChangeFields[P]
}[K]

/** Everything but those that replace all there is. */
export type RowChange = Change<Exclude<ChangeKind, 'replace-database'>>

/** What each kind of change resolves with; undefined is "not there", and then nothing was changed. */
export interface OutcomeByKind {
  readonly insert: readonly Row[] | undefined
  readonly replace: Row | undefined
  readonly merge: Row | undefined
  readonly patch: Row | undefined
  readonly remove: PlacedRow | undefined
  /** The rows as they are now. */
  readonly 'merge-where': readonly Row[] | undefined
  readonly 'patch-where': readonly Row[] | undefined
  /** The rows that matched, without those that went with them. */
  readonly 'remove-where': readonly Row[] | undefined
  readonly 'replace-object': Row | undefined
  readonly 'merge-object': Row | undefined
  readonly 'patch-object': Row | undefined
  readonly 'replace-database': undefined
  /** In the order of the changes. */
  readonly batch: readonly BatchedOutcome[]
  readonly apply: undefined
}

export type BatchedOutcome = Row | readonly Row[] | PlacedRow | readonly BatchedOutcome[] | undefined

export type Outcome<C extends Change> = OutcomeByKind[C['kind']]

export interface WriteOptions {
  /** Resolves with what it would resolve with, and changes nothing. */
  readonly dryRun?: boolean
  /** For a change of one row or object: refused with `PRECONDITION_FAILED` when that is another by now. */
  readonly unchangedSince?: Row
  /** Handed on in the commit. Plain JSON, and the engine's business no further. */
  readonly note?: unknown
  /** For a change of one row: unless it references this parent it is not there. The key stays as it is stored. */
  readonly within?: Within
}

export interface SubscribeOptions {
  /** Whether commits are to carry effects. They are worked out only while somebody wants them. @default false */
  readonly effects?: boolean
}

/** What one change did, also where several were saved together. */
export interface Commit {
  /** The resources that are not what they were. */
  readonly names: readonly string[]
  /** Absent where everything was replaced, by a change or from outside, and where nobody asked for them. */
  readonly effects?: readonly Effect[]
  /** What `WriteOptions` gave. */
  readonly note?: unknown
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
