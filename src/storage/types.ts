/**
 * One item of a collection. Never changed once stored: a write puts a new object in its place,
 * so that whoever holds the old one (a running response, an undo) keeps what it saw.
 */
export type Row = Record<string, unknown>

/** The whole database: an array of rows per collection, an object per singular resource. */
export type Data = Record<string, unknown>

export type Operator =
  | 'eq'
  | 'ne'
  | 'gte'
  | 'lte'
  | 'like'
  | 'gt'
  | 'lt'
  | 'in'
  | 'nin'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'null'
  | 'between'

export interface Condition {
  /** Field, or dotted path; the path goes through arrays. */
  readonly path: string
  readonly op: Operator
  /**
   * Alternatives: any may match, but for `ne` and `nin`, where all must differ. An empty list matches as such.
   * `between` has them in pairs; `null` has one, `true` or `false`.
   */
  readonly values: readonly string[]
  /**
   * A condition on a path that no row has is ignored: unless it is required, like the foreign key of a nested route,
   * or has an operator that json-server 0.17.4 knew.
   */
  readonly required?: boolean
  /** What it means where no row has the path: `price_gt` is a field, or else the operator `gt` on `price`. */
  readonly orElse?: Condition
  /** Values that made no sense and are ignored; without any that did, so is the condition. */
  readonly unread?: readonly string[]
  /** Where in `_where` it stands, for errors: there, nothing is ignored. */
  readonly place?: string
}

/** What rows have to pass. */
export type Where =
  | Condition
  | { readonly and: readonly Where[] }
  | { readonly or: readonly Where[] }
  | { readonly not: Where }

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
  /** As json-server 1.0 cuts pages: past the end comes the last one, and what is told of them is told in the body. */
  | { readonly kind: 'envelope'; readonly page: number; readonly size: number }
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'slice'; readonly start: number; readonly end?: number }

/** Names of the relations to put into a row. */
export interface Relations {
  readonly embed: readonly string[]
  readonly expand: readonly string[]
}

/**
 * What a list is asked for. Plain JSON. What some of it means depends on the fields that rows have: `decide` says, for
 * every engine alike.
 */
export interface ListQuery extends Relations {
  /** Full-text search; already in lower case. */
  readonly search?: string
  /** Every one has to pass. */
  readonly where: readonly Where[]
  readonly sort: readonly SortKey[]
  readonly window: Window
  readonly words?: readonly Word[]
  /** Parameters that mean nothing, whatever the rows are. */
  readonly ignored?: readonly Ignored[]
}

/** A parameter that json-server 0.17.4 did not know: where some row has a field of that name, it is that field. */
export interface Word {
  readonly name: string
  readonly values: readonly string[]
  readonly means: Partial<Pick<ListQuery, 'where' | 'sort' | 'window'>> & {
    /** Why it cannot be answered. */
    readonly error?: string
    readonly ignored?: Ignored
  }
}

/** A parameter that was not understood, and why. */
export interface Ignored {
  readonly name: string
  readonly reason: 'unknown field' | 'unreadable value' | 'another parameter wins'
  /** The value that cannot be read, or the name of the parameter that wins. */
  readonly detail?: string
}

/** Page numbers as json-server 0.17.4 counts them: none past the end, none when one page holds everything. */
export interface PageNumbers {
  readonly first?: number
  readonly prev?: number
  readonly next?: number
  readonly last?: number
}

/** What json-server 1.0 tells of a page beside its rows. */
export interface Envelope {
  readonly first: number
  readonly prev: number | null
  readonly next: number | null
  readonly last: number
  readonly pages: number
  readonly items: number
}

export interface Selection {
  readonly items: readonly Row[]
  /** How many matched before the window was cut out. */
  readonly total: number
  /** Only with a `page` or an `envelope` window. */
  readonly page?: PageNumbers
  /** Only with an `envelope` window. */
  readonly envelope?: Envelope
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
