import type { Access } from './access/rights.ts'
import type { Data, Ignored, ListQuery, Relations, Row, Selection, Trace } from './types.ts'

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
  /** The row with this text in a field, whatever the case; of several, one with exactly this text, else the first. */
  readonly keyed: { readonly collection: string; readonly field: string; readonly text: string }
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
  readonly keyed: Row | undefined
  readonly object: Row | undefined
  /** Lists of its own: rows that come and go afterwards are not seen in it. */
  readonly database: Data
  readonly explain: Explanation | undefined
  readonly fields: readonly string[] | undefined
}

export type Found<Q extends Question> = FoundByKind[Q['kind']]

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

/** A long list with relations. Each row is put together when it is asked for: all may take far more than the data. */
export interface JoinedList {
  readonly length: number
  at(index: number): Row | undefined
  /** How many bytes all rows take as JSON, counted no further than the limit. */
  sizeUpTo(limit: number): Promise<number>
  /** A copy of all rows, each time. */
  toArray(): readonly Row[]
}

export interface ReadOptions {
  /** Whether anybody still waits for the response. Asked by work that others queue for. */
  readonly isWanted?: (() => boolean) | undefined
  /** Whether the caller has just waited for `catchUp`: then it is not waited for again. */
  readonly isCaughtUp?: boolean | undefined
  /** Finds what it would find if only the rows were there that this client may read. */
  readonly access?: Access | undefined
}

export interface Reading<T> {
  readonly found: T
  /** Whether the same question would find the same now. */
  readonly isCurrent: () => boolean
}
