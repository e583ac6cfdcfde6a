import type { Operator } from '../kernel/catalogue/operators.ts'

/** An item of a collection. Immutable once stored. */
export type Row = Record<string, unknown>

/** The whole database: an array of rows per collection, an object per singular resource. */
export type Data = Record<string, unknown>

export interface Condition {
  /** Field or dotted path, which looks into arrays. */
  readonly path: string
  readonly op: Operator
  /** Any may match; for `ne` and `nin`, all must differ. `between` has pairs, `null` has `true` or `false`. */
  readonly values: readonly string[]
  /** If no row has the path, a condition is ignored unless it is required or has an operator of json-server 0.17.4. */
  readonly required?: boolean
  /** The meaning if no row has the path: `price_gt` is a field, or else the operator `gt` on `price`. */
  readonly orElse?: Condition
  /** Invalid values, which are ignored. */
  readonly unread?: readonly string[]
  /** The position in `_where`, for errors: there, nothing is ignored. */
  readonly place?: string
  /** Whether it comes from a filter in JSON: then it does not count as a repeated parameter. */
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

/** The kind of a value, by which values are sorted first: numbers, texts, booleans, others, null, missing. */
export type CursorValue = readonly [kind: 0 | 1 | 2 | 3 | 4 | 5, value: number | string]

/** The place behind a row, wherever others come and go. */
export interface CursorPlace {
  /** Values of the row in each field that is sorted by. */
  readonly values: readonly CursorValue[]
  /** How many rows with the same values come before the place. */
  readonly seen: number
}

/** `slice` counts like Array.prototype.slice, and so does `limit`, which reports no range. */
export type Window =
  | { readonly kind: 'all' }
  | { readonly kind: 'page'; readonly page: number; readonly size: number }
  /** Pages as in json-server 1.0: past the end comes the last one, and the metadata is in the body. */
  | { readonly kind: 'envelope'; readonly page: number; readonly size: number }
  | { readonly kind: 'limit'; readonly count: number }
  /** `question` is for the reader and writer of cursors. */
  | {
      readonly kind: 'cursor'
      readonly size: number
      readonly question: string
      readonly after?: CursorPlace | undefined
    }
  | { readonly kind: 'slice'; readonly start: number; readonly end?: number }

export interface Relations {
  /** Names of relations to include; a dot leads to relations of relations. */
  readonly embed: readonly string[]
  readonly expand: readonly string[]
  /** Paths of the only fields to show. Ignored if any row has a field `_fields`. */
  readonly fields?: readonly string[]
  /** Paths of fields not to show. Ignored if any row has a field `_omit`. */
  readonly omit?: readonly string[]
}

/** Plain JSON. Parts of its meaning depend on the fields of rows: `decide` resolves them. */
export interface ListQuery extends Relations {
  /** In lower case. */
  readonly search?: string
  readonly where: readonly Where[]
  readonly sort: readonly SortKey[]
  readonly window: Window
  readonly words?: readonly Word[]
  /** Parameters that mean nothing, whatever the rows. */
  readonly ignored?: readonly Ignored[]
}

/** A keyword that json-server 0.17.4 did not have. If any row has a field of that name, it is that field. */
export interface Word {
  readonly name: string
  readonly values: readonly string[]
  readonly means: Partial<Pick<ListQuery, 'where' | 'sort' | 'window'>> & {
    readonly error?: string
    readonly ignored?: Ignored | readonly Ignored[]
  }
}

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
    | 'undefined is a string'
  /** The unreadable value, the other parameter, the field in question, or a suggestion. */
  readonly detail?: string
}

/** Page numbers as in json-server 0.17.4: none past the end, none if one page holds everything. */
export interface PageNumbers {
  readonly first?: number | undefined
  readonly prev?: number | undefined
  readonly next?: number | undefined
  readonly last?: number | undefined
}

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
  /** As the rows decide it: words such as `_per_page` may be fields. */
  readonly window: Window
  /** With a `page` or an `envelope` window. */
  readonly page?: PageNumbers | undefined
  readonly envelope?: Envelope | undefined
  /** The place behind the last row, if others follow. With a `cursor` window. */
  readonly cursor?: CursorPlace | undefined
  /** Position in the whole result (end exclusive), for Content-Range. With a `slice` window. */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  readonly ignored?: readonly Ignored[] | undefined
}

export interface IndexUse {
  readonly kind: 'id' | 'equality' | 'entries' | 'sorted' | 'prefix' | 'text'
  readonly path: string
}

export interface Trace {
  uses: readonly IndexUse[]
  examined: number
}

export interface Naming {
  /** The id field of collections that `ids` has no other for. */
  readonly id: string
  readonly ids?: ReadonlyMap<string, string> | undefined
  /** The suffix that makes `company` a foreign key: `Id` in `companyId`, `_id` in `company_id`. */
  readonly foreignKeySuffix: string
  /** Collections that the settings say fields refer to, by collection and field. */
  readonly references?: ReadonlyMap<string, ReadonlyMap<string, string>>
}
