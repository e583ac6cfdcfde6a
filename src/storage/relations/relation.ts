import type { Row } from '../types.ts'

/** A relation that was asked for, and what is asked of the rows that it leads to. */
export interface Relation {
  /** What it is called in the answer. */
  readonly name: string
  /** Whose rows are found. */
  readonly collection: string
  /** The field that holds a list of their ids. A row with such a list goes by it, whatever `way` says. */
  readonly list?: string
  readonly way?: Way
  /** Whether a row for which there is nothing to find gets an empty list. */
  readonly isList: boolean
  /** Whether json-server did not know it: then it counts towards what one query may attach. */
  readonly isBounded: boolean
  readonly deeper: readonly Relation[]
}

/** How one key leads to rows. */
type Way =
  /** To a parent: `company_id` of the row is its id. */
  | { readonly by: 'id'; readonly own: string }
  /** To children: their `company_id` is the id of the row. */
  | { readonly by: 'field'; readonly field: string }
  /** To those whose list `tag_ids` has the id of the row. */
  | { readonly by: 'entries'; readonly field: string }

/** What stands in a relation to a row; undefined where there is nothing to show. */
export type Found = Row | readonly Row[] | undefined

/** What stands in one relation to each of some rows. */
export interface Column {
  readonly relation: Relation
  readonly found: readonly Found[]
}
