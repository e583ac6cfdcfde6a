import type { Operator } from '../query/operators.ts'

/** One item of a collection. Immutable once stored: holders of the old one keep what they saw. */
export type Row = Record<string, unknown>

/** The whole database: an array of rows per collection, an object per singular resource. */
export type Data = Record<string, unknown>

export interface Condition {
  /** Field, or dotted path; the path looks into arrays. */
  readonly path: string
  readonly op: Operator
  /**
   * Alternatives: any may match, except for `ne` and `nin`, where all must differ. An empty list matches as such.
   * `between` has them in pairs; `null` has one, `true` or `false`.
   */
  readonly values: readonly string[]
  /** Where no row has the path, a condition is ignored, unless it is required or has an operator of json-server 0.17.4. */
  readonly required?: boolean
  /** What it means if no row has the path: `price_gt` is a field, or else the operator `gt` on `price`. */
  readonly orElse?: Condition
  /** Invalid values, which are ignored; if there are no valid ones, so is the condition. */
  readonly unread?: readonly string[]
  /** Its position in `_where`, for errors: there, nothing is ignored. */
  readonly place?: string
  /** Whether it comes from a filter in JSON: it holds besides parameters that are the same, and is no repeat of them. */
  readonly isJson?: boolean
}

export type Where =
  | Condition
  | { readonly and: readonly Where[] }
  | { readonly or: readonly Where[] }
  | { readonly not: Where }

export interface SortKey {
  readonly path: string
  readonly order: 'asc' | 'desc'
}

/** `slice` counts like Array.prototype.slice, and so does `limit`, which reports no range. */
export type Window =
  | { readonly kind: 'all' }
  | { readonly kind: 'page'; readonly page: number; readonly size: number }
  /** Pages as in json-server 1.0: past the end comes the last one, and the metadata is in the body. */
  | { readonly kind: 'envelope'; readonly page: number; readonly size: number }
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'slice'; readonly start: number; readonly end?: number }

/** What to show of a row. */
export interface Relations {
  /** Names of the relations to include; a dot leads from relation to relation. */
  readonly embed: readonly string[]
  readonly expand: readonly string[]
  /** Paths of the only fields to show. Where any row has a field `_fields`, all are shown. */
  readonly fields?: readonly string[]
  /** Paths of fields that are not shown. Where any row has a field `_omit`, none. */
  readonly omit?: readonly string[]
}

/** Plain JSON. Some of its meaning depends on the fields that rows have: `decide` resolves that. */
export interface ListQuery extends Relations {
  /** Full-text search; already in lower case. */
  readonly search?: string
  readonly where: readonly Where[]
  readonly sort: readonly SortKey[]
  readonly window: Window
  readonly words?: readonly Word[]
  /** Parameters that mean nothing, whatever the rows are. */
  readonly ignored?: readonly Ignored[]
}

/** A keyword that json-server 0.17.4 did not have: if any row has a field of that name, it is that field. */
export interface Word {
  readonly name: string
  readonly values: readonly string[]
  readonly means: Partial<Pick<ListQuery, 'where' | 'sort' | 'window'>> & {
    readonly error?: string
    readonly ignored?: Ignored
  }
}

/** A parameter that was not understood, and why. */
export interface Ignored {
  readonly name: string
  readonly reason:
    | 'unknown field'
    | 'unknown relation'
    | 'matches nothing'
    | 'unreadable value'
    | 'another parameter wins'
    | 'another parameter is missing'
    | 'compares whole lists'
    | 'null is a string'
  /** The value that cannot be read, the other parameter, the field that it is about, or what was probably meant. */
  readonly detail?: string
}

/** Page numbers as in json-server 0.17.4: none past the end, none if one page holds everything. */
export interface PageNumbers {
  readonly first?: number
  readonly prev?: number
  readonly next?: number
  readonly last?: number
}

/** json-server 1.0's metadata of a page. */
interface Envelope {
  readonly first: number
  readonly prev: number | null
  readonly next: number | null
  readonly last: number
  readonly pages: number
  readonly items: number
}

export interface Selection {
  readonly items: readonly Row[]
  /** Number of matches before paging. */
  readonly total: number
  /** Only with a `page` or an `envelope` window. */
  readonly page?: PageNumbers | undefined
  /** Only with an `envelope` window. */
  readonly envelope?: Envelope | undefined
  /** The position of the items in the whole result (end exclusive), for Content-Range. Only with a `slice` window. */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  /** Absent if everything was understood. */
  readonly ignored?: readonly Ignored[] | undefined
}

export interface IndexUse {
  readonly kind: 'id' | 'equality' | 'entries' | 'sorted' | 'prefix' | 'text'
  readonly path: string
}

export interface Trace {
  uses: readonly IndexUse[]
  /** How many rows were tested one by one. */
  examined: number
}

export interface Naming {
  readonly id: string
  /** What makes `company` a foreign key: `Id` in `companyId`, `_id` in `company_id`. */
  readonly foreignKeySuffix: string
}
