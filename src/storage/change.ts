import type { Operation } from '../json/operation.ts'
import type { Access } from './access/rights.ts'
import type { Database } from './data/database.ts'
import type { Within } from './question.ts'
import type { FieldFault, Texts } from './resource-rules.ts'
import type { Data, ListQuery, Relations, Row } from './types.ts'

export interface CommitMeta {
  readonly method?: string
  /** Without secrets. */
  readonly url?: string
  readonly session?: string
}

export type Direction = 'undo' | 'redo'

/** Which rows of a collection a change is about: all that a list can be filtered by. */
export type Filter = Omit<ListQuery, 'sort' | 'window' | keyof Relations>

export type Dependents = 'all' | readonly string[]

/** A change of some fields of a row. Plain JSON, applied to the row as it is inside the commit. */
export type Patch =
  /** RFC 7396: merged recursively, and null removes a field. */
  | { readonly format: 'merge-patch'; readonly fields: Row }
  /** RFC 6902: operations in order. */
  | { readonly format: 'json-patch'; readonly operations: readonly Operation[] }

interface ChangeFields {
  /** All rows or, when an id is taken, none. They stand from `place` on, by default at the end. */
  readonly insert: {
    readonly collection: string
    readonly rows: readonly Row[]
    readonly place?: number
    /** Errors name the place of a row in the list, `1.price`, even if it has only one. @default false */
    readonly isList?: boolean
    /** The ids were not chosen by the client, so that they stay where clients cannot choose them. @default false */
    readonly keepsIds?: boolean
  }
  /** The stored id stays. */
  readonly replace: { readonly collection: string; readonly id: string; readonly fields: Row }
  /** Like `replace`, but fields that are not given stay. */
  readonly merge: { readonly collection: string; readonly id: string; readonly fields: Row }
  readonly patch: { readonly collection: string; readonly id: string; readonly patch: Patch }
  readonly remove: { readonly collection: string; readonly id: string; readonly dependents?: Dependents }
  /** All rows that match, or none. Unlike in a read, a filter on a field that no row has is refused with `INVALID_QUERY`. */
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
  /** An empty one, where nothing has that name. Followers hear of it with its first row. */
  readonly 'create-collection': { readonly name: string }
  /** Where it is a function, it is called when its turn comes. */
  readonly 'replace-database': { readonly data: Data | Database | (() => Database) }
  /** One after the other, each seeing what those before it left. One commit. */
  readonly batch: { readonly changes: readonly RowChange[] }
  /** Undoes or redoes one change, or all up to the state right after `to`. Refused where a row is another by now. */
  readonly move: { readonly direction: Direction; readonly to?: number | undefined }
}

export type ChangeKind = keyof ChangeFields

/** Plain JSON: can be queued, logged, replayed, sent elsewhere. Each is all or nothing. */
export type Change<K extends ChangeKind = ChangeKind> = {
  [P in K]: { readonly kind: P } & ChangeFields[P]
}[K]

/** Everything but those that go by the whole of the data, or by its history. */
export type RowChange = Change<Exclude<ChangeKind, 'replace-database' | 'move'>>

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
  readonly 'create-collection': undefined
  readonly 'replace-database': undefined
  /** In the order of the changes. */
  readonly batch: readonly BatchedOutcome[]
  /** The versions that were undone or redone, in that order. */
  readonly move: readonly number[]
}

interface PlacedRow {
  readonly row: Row
  /** How many rows stood before it. */
  readonly place: number
}

export type BatchedOutcome = Row | PlacedRow | readonly Row[] | readonly BatchedOutcome[] | undefined

export type Outcome<C extends Change> = OutcomeByKind[C['kind']]

export interface Proof {
  /** The hidden value that the client knows; undefined if it knows none. */
  readonly of: unknown
  /** What is wrong where a row hides another. */
  readonly fault: FieldFault
}

export interface WriteOptions {
  /** Resolves with what it would resolve with, and changes nothing. */
  readonly dryRun?: boolean
  /** For a change of one row or object: refused with `PRECONDITION_FAILED` when that is another by now. */
  readonly unchangedSince?: Row
  readonly meta?: CommitMeta | undefined
  /** For `replace-database`: the data comes from outside, such as a file that somebody edited. */
  readonly isOutside?: boolean
  /** Which fields hold text only because of where they come from, a path or a form: read as the schema says. */
  readonly texts?: Texts
  /** What is stored in hidden fields instead of what is sent, such as the hash of a password. Nothing else may be. */
  readonly seals?: readonly (readonly [sent: string, stored: string])[] | undefined
  /** For a client that has to know what a stored row hides to change it. Without it, the client need not. */
  readonly proof?: Proof | undefined
  /** A row that does not reference this parent is not there. The key stays as it is stored. */
  readonly within?: Within
  /**
   * Rows that this client may not read are not there. What it may not do to others, cascades included, is refused with
   * `AUTH_REQUIRED` or `AUTH_FORBIDDEN`, before anything else is judged.
   */
  readonly access?: Access
}
