/**
 * One item of a collection. Never changed once stored: a write puts a new object in its place,
 * so that whoever holds the old one (a running response, an undo) keeps what it saw.
 */
export type Row = Record<string, unknown>

/** The whole database: an array of rows per collection, an object per singular resource. */
export type Data = Record<string, unknown>

export type Operator = 'eq' | 'ne' | 'gte' | 'lte' | 'like'

export interface Condition {
  /** Field, or dotted path; the path goes through arrays. */
  readonly path: string
  readonly op: Operator
  /** Alternatives: any may match, but for `ne`, where all must differ. An empty list matches as such. */
  readonly values: readonly string[]
  /**
   * An `eq` on a path that no row has is ignored, as in json-server: unless it is required,
   * like the foreign key of a nested route.
   */
  readonly required?: boolean
}

export interface SortKey {
  readonly path: string
  readonly order: 'asc' | 'desc'
}

/**
 * Which part of the result is wanted. `slice` counts as Array.prototype.slice does, and so does `limit`,
 * which starts at the first item and asks for no range.
 */
export type Window =
  | { readonly kind: 'all' }
  | { readonly kind: 'page'; readonly page: number; readonly size: number }
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'slice'; readonly start: number; readonly end?: number }

/** Names of the relations to put into a row. */
export interface Relations {
  readonly embed: readonly string[]
  readonly expand: readonly string[]
}

export interface ListQuery extends Relations {
  /** Full-text search; already in lower case. */
  readonly search?: string
  readonly where: readonly Condition[]
  readonly sort: readonly SortKey[]
  readonly window: Window
}

/** Page numbers as json-server 0.17.4 counts them: none past the end, none when one page holds everything. */
export interface PageNumbers {
  readonly first?: number
  readonly prev?: number
  readonly next?: number
  readonly last?: number
}

export interface Selection {
  readonly items: readonly Row[]
  /** How many matched before the window was cut out. */
  readonly total: number
  /** Only with a `page` window. */
  readonly page?: PageNumbers
  /** Where the items stand in the whole result (end exclusive), for Content-Range. Only with a `slice` window. */
  readonly range?: { readonly start: number; readonly end: number }
}

/** How rows are told apart and point at each other. */
export interface Naming {
  /** The primary key. */
  readonly id: string
  /** What makes `company` a foreign key: `Id` in `companyId`, `_id` in `company_id`. */
  readonly foreignKeySuffix: string
}

/** The rows of a collection whose own field has a text. */
export type Lookup = (text: string) => readonly Row[]

/** What relations need to look up. The store answers from its indexes. */
export interface Reader {
  /** The rows of a collection; undefined when there is none of that name. */
  rows(collection: string): readonly Row[] | undefined
  /** Ids are compared as strings. */
  find(collection: string, id: unknown): Row | undefined
  /**
   * Rows by a field of their own; null and missing have no text. Right until something changes. A promise while the
   * index for it is being made: then it is to be asked for again. Undefined where there is none.
   */
  lookup(collection: string, field: string): Lookup | Promise<void> | undefined
}
