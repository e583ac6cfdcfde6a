import type { FieldNames } from './data/fields.ts'
import type { Access } from './rules/rights.ts'
import type { Condition, Data, Ignored, ListQuery, Relations, Row, Selection, Trace } from './types.ts'

/** Rows whose field `key` does not reference this id are not there. */
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
    /** Have no effect on one row, but those on fields that no row has are reported. */
    readonly filters?: readonly Condition[]
  }
  readonly list: { readonly collection: string; readonly query: ListQuery }
  /** The row with this text in a field, ignoring case; of several, one that matches exactly, else the first. */
  readonly keyed: { readonly collection: string; readonly field: string; readonly text: string }
  readonly object: { readonly name: string }
  readonly database: unknown
  readonly explain: { readonly collection: string; readonly query: ListQuery }
  /** Paths in a sample of the rows, for suggestions. */
  readonly fields: { readonly collection: string }
  /** All of them. */
  readonly names: { readonly collection: string }
}

export type QuestionKind = keyof QuestionFields

export type Question<K extends QuestionKind = QuestionKind> = {
  [P in K]: { readonly kind: P } & QuestionFields[P]
}[K]

/** Undefined is "not there". */
export interface FoundByKind {
  readonly item: Row | undefined
  readonly list: Listing | undefined
  readonly keyed: Row | undefined
  readonly object: Row | undefined
  /** A copy: later changes are not visible in it. */
  readonly database: Data
  readonly explain: Explanation | undefined
  readonly fields: readonly string[] | undefined
  readonly names: FieldNames | undefined
}

export interface Explanation {
  readonly query: ListQuery
  readonly ignored: readonly Ignored[]
  readonly plan: Readonly<Trace> & {
    readonly matched: number
  }
}

export interface Listing extends Omit<Selection, 'items' | 'ignored'> {
  readonly rows: readonly Row[] | JoinedList
}

/** A long list with relations. Rows are joined when accessed: all of them may take far more memory than the data. */
export interface JoinedList {
  readonly length: number
  at(index: number): Row | undefined
  sizeUpTo(limit: number): Promise<number>
  toArray(): readonly Row[]
}

export interface ReadOptions {
  readonly isCaughtUp?: boolean | undefined
  /** Restricts the result to rows that this client may read. */
  readonly access?: Access | undefined
}

export interface ReadResult<T> {
  readonly found: T
  /** Parts of the question that had no effect. */
  readonly ignored: readonly Ignored[]
  readonly isCurrent: () => boolean
  /** By name, the resources that it depends on. */
  readonly touched: ReadonlyMap<string, unknown>
}
