import type { Row } from './types.ts'

/** Values that are text only because of where they come from: some fields, or all of a form. */
export type StringSourcedFields = 'all' | readonly string[]

/** Why a field is invalid, as the end of a sentence: `price` … `must be at least 0`. */
export interface FieldFault {
  /** Dotted path; empty for the row itself. */
  readonly path: string
  readonly message: string
}

/** Pure: returns new rows, and changes none. */
export interface RowSchema {
  readTexts(fields: Row, which: StringSourcedFields): Row
  /** Restores fields that clients cannot set: as in the old row, or left out. */
  keepReadOnly(row: Row, old?: Row): Row
  fillIn(row: Row): Row
  faultsOf(row: Row): readonly FieldFault[]
}

/** Fields by the function that makes each of the row without them. Undefined: the row does not have it. */
export type Computed = Readonly<Record<string, (row: Row) => unknown>>

export interface ReferenceRule {
  readonly resource: string
  /** The fate of rows whose reference is deleted. Undefined is `keep`, or `cascade` with `--cascade`. */
  readonly onDelete?: 'keep' | 'cascade' | 'restrict' | 'null' | undefined
}

export interface ResourceRules {
  readonly schema?: RowSchema | undefined
  /** Fields of the schema. A query may use them though no row has them yet. */
  readonly fields?: readonly string[] | undefined
  readonly unique?: readonly (readonly string[])[] | undefined
  readonly uniqueInAnyCase?: readonly string[] | undefined
  /**
   * Stored, but in no response, filter, effect or index. What a change sends for them is stored as `WriteOptions.seals`
   * says.
   */
  readonly hidden?: readonly string[] | undefined
  /** Fields that are about the change itself, and not stored. */
  readonly unstored?: readonly string[] | undefined
  /** Made of the rest of the row, and not stored. */
  readonly computed?: Computed | undefined
  /** Checks beyond the schema. `isWhole`: the client sent all fields, so one may be left out on purpose. */
  readonly faultsOf?:
    | ((row: Row, old: Row | undefined, isWhole: boolean) => readonly FieldFault[])
    | undefined
  readonly references?: Readonly<Record<string, ReferenceRule>> | undefined
  readonly timestamps?: { readonly created: string; readonly updated: string } | undefined
  /** The field with the ids of rows, if it has another name than elsewhere. */
  readonly id?: string | undefined
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  /**
   * The fields of another resource by which rows of this one give access to its rows. New rows get no id that is in there:
   * the client that creates them would have access to those rows.
   */
  readonly keysIn?: ((resource: string) => readonly string[]) | undefined
}

export interface Rules {
  readonly resources: ReadonlyMap<string, ResourceRules>
  now(): Date
}
