import type { Row } from './types.ts'

/** Values that are text only because of where they come from: those of some fields, or all of a form. */
export type Texts = 'all' | readonly string[]

/** A field that does not fit, and why, as the end of a sentence: `price` … `must be at least 0`. */
export interface FieldFault {
  /** Dotted path; empty for the row itself. */
  readonly path: string
  readonly message: string
}

/** What a row has to look like. Pure: returns other rows, and changes none. */
export interface RowSchema {
  /** Reads texts as the numbers and booleans that the schema asks for. */
  readTexts(fields: Row, which: Texts): Row
  /** Restores fields that clients cannot set: as in the old row, or left out. */
  keepReadOnly(row: Row, old?: Row): Row
  /** Fills in the defaults of missing fields. */
  fillIn(row: Row): Row
  /** Empty if the row fits. */
  faultsOf(row: Row): readonly FieldFault[]
}

export interface ReferenceRule {
  readonly resource: string
  /** What happens to rows whose reference is deleted. Undefined is `keep`, unless everything cascades. */
  readonly onDelete?: 'keep' | 'cascade' | 'restrict' | 'null' | undefined
}

export interface ResourceRules {
  readonly schema?: RowSchema | undefined
  /** Fields that the schema names. A query may ask for them, though no row has them yet. */
  readonly fields?: readonly string[] | undefined
  /** Combinations of fields of which no two rows have the same values. */
  readonly unique?: readonly (readonly string[])[] | undefined
  /** Fields whose texts no two rows share, whatever their case. */
  readonly uniqueInAnyCase?: readonly string[] | undefined
  /**
   * Fields that questions do not find: no answer, filter, effect or index has them. They are stored, and stay as they are
   * unless a change names them, with what `WriteOptions.seals` says is stored instead.
   */
  readonly hidden?: readonly string[] | undefined
  /** Fields that say something of the change itself: no row has them. */
  readonly unstored?: readonly string[] | undefined
  /**
   * What is wrong with a row beside what its schema says.
   * @param old the one that it takes the place of
   * @param isWhole whether the client sent all fields, so that one may be left out on purpose
   */
  readonly faultsOf?:
    | ((row: Row, old: Row | undefined, isWhole: boolean) => readonly FieldFault[])
    | undefined
  readonly references?: Readonly<Record<string, ReferenceRule>> | undefined
  readonly timestamps?: { readonly created: string; readonly updated: string } | undefined
  readonly ids?: 'increment' | 'uuid' | 'nanoid' | undefined
  /** The field that names the owner of a resource's rows. No new row gets an id that is named there: it would own them. */
  readonly ownerIn?: ((resource: string) => string) | undefined
}

/** What the rows of all resources must obey, in every engine alike. */
export interface Rules {
  readonly resources: ReadonlyMap<string, ResourceRules>
  /** The time that timestamps tell. */
  now(): Date
}
