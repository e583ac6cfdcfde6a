import type { PatchOperation } from '../kernel/json/patches.ts'
import type { Database } from './data/database.ts'
import type { CommitMeta, Effect } from './data/store.ts'
import type { Within } from './question.ts'
import type { FieldFault, StringSourcedFields } from './resource-rules.ts'
import type { Access } from './rules/rights.ts'
import type { Data, ListQuery, Relations, Row } from './types.ts'

export type Direction = 'undo' | 'redo'

export type Filter = Omit<ListQuery, 'sort' | 'window' | keyof Relations>

export type Dependents = 'all' | readonly string[]

/** Applied to the row as it is inside the commit. Plain JSON. */
export type Patch =
  /** RFC 7396: merged recursively, and null removes a field. */
  | { readonly format: 'merge-patch'; readonly fields: Row }
  /** RFC 6902: operations in order. */
  | { readonly format: 'json-patch'; readonly operations: readonly PatchOperation[] }

interface ChangeFields {
  /** All rows or, if an id is taken, none. They start at `place`, by default at the end. */
  readonly insert: {
    readonly collection: string
    readonly rows: readonly Row[]
    readonly place?: number
    /** Errors name the index of a row, `1.price`, even of a single one. @default false */
    readonly isList?: boolean
    /** The ids were not chosen by the client, so they are kept where clients cannot choose them. @default false */
    readonly keepsIds?: boolean
  }
  readonly replace: { readonly collection: string; readonly id: string; readonly fields: Row }
  readonly merge: { readonly collection: string; readonly id: string; readonly fields: Row }
  readonly patch: { readonly collection: string; readonly id: string; readonly patch: Patch }
  readonly remove: { readonly collection: string; readonly id: string; readonly dependents?: Dependents }
  /** All rows that match, or none. Unlike in a read, filters on fields that no row has are refused. */
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
  /** An empty one, if nothing has that name. Followers get an event with its first row. */
  readonly 'create-collection': { readonly name: string }
  readonly 'replace-database': { readonly data: Data | Database | (() => Promise<Data | Database>) }
  readonly batch: {
    readonly changes: readonly RowChange[]
    /** Names of the changes in errors, instead of their index: `posts.0.title`. */
    readonly names?: readonly string[]
  }
  /** Makes the next database of the newest one. It may run more than once. */
  readonly transaction: { readonly run: (newest: Database) => Promise<Database> }
  /** Undoes or redoes one change, or all up to the state right after `to`. Refused if a row was changed otherwise. */
  readonly move: { readonly direction: Direction; readonly to?: number | undefined }
}

export type ChangeKind = keyof ChangeFields

/** Plain JSON. Each is all or nothing. */
export type Change<K extends ChangeKind = ChangeKind> = {
  [P in K]: { readonly kind: P } & ChangeFields[P]
}[K]

/** All but changes of the whole data, or of its history, and transactions. */
export type RowChange = Change<Exclude<ChangeKind, 'replace-database' | 'transaction' | 'move'>>

/** Undefined is "not there": then nothing was changed. */
export interface OutcomeByKind {
  readonly insert: readonly Row[] | undefined
  readonly replace: Row | undefined
  readonly merge: Row | undefined
  readonly patch: Row | undefined
  readonly remove: PlacedRow | undefined
  readonly 'merge-where': readonly Row[] | undefined
  readonly 'patch-where': readonly Row[] | undefined
  readonly 'remove-where': readonly Row[] | undefined
  readonly 'replace-object': Row | undefined
  readonly 'merge-object': Row | undefined
  readonly 'patch-object': Row | undefined
  readonly 'create-collection': undefined
  readonly 'replace-database': undefined
  readonly batch: readonly BatchedOutcome[]
  readonly transaction: readonly Effect[]
  readonly move: readonly number[]
}

interface PlacedRow {
  readonly row: Row
  readonly place: number
}

export type BatchedOutcome = Row | PlacedRow | readonly Row[] | readonly BatchedOutcome[] | undefined

export interface Proof {
  /** The hidden value that the client sent as proof; undefined if it sent none. */
  readonly of: unknown
  readonly fault: FieldFault
}

/** Whose change it is. */
export interface Cause {
  readonly meta?: CommitMeta | undefined
  /** For hooks. */
  readonly by?: unknown
}

export interface WriteOptions extends Cause {
  /** Resolves with the outcome, and changes nothing. */
  readonly dryRun?: boolean
  /** For a change of one row or object: refused with `PRECONDITION_FAILED` if it differs. */
  readonly unchangedSince?: Row
  /** For `replace-database`: the data is what it was at the start, or in a snapshot. What was planned is over. */
  readonly isReset?: boolean | undefined
  /** For `replace-database`: the data comes from outside, such as an edited file. */
  readonly isOutside?: boolean
  /** Fields that are text only because they come from a path or a form: converted as the schema says. */
  readonly texts?: StringSourcedFields
  /** Values to store in hidden fields in place of those sent, such as the hash of a password. */
  readonly seals?: readonly (readonly [sent: string, stored: string])[] | undefined
  /** For a client that must know the hidden value to change it. */
  readonly proof?: Proof | undefined
  /** Rows that do not reference this parent are not there. The key stays as it is stored. */
  readonly within?: Within
  /** Rows that it may not read are not there; what it may not do is refused before all other checks. */
  readonly access?: Access | undefined
}
