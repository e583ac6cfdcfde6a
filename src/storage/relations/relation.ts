import type { Row } from '../types.ts'

/** A requested relation, and the relations requested of the rows it leads to. */
export interface Relation {
  readonly name: string
  readonly collection: string
  /** The row's field with a list of their ids. If the row has one, it beats `way`. */
  readonly list?: string
  readonly way?: Way
  /** Whether a row without related rows gets an empty list. */
  readonly isList: boolean
  /** Whether json-server does not have it: then it counts toward what one query may attach. */
  readonly isBounded: boolean
  readonly deeper: readonly Relation[]
}

type Way =
  /** To a parent: `company_id` of the row is its id. */
  | { readonly by: 'id'; readonly own: string }
  /** To children: their `company_id` is the id of the row. */
  | { readonly by: 'field'; readonly field: string }
  /** To those whose list `tag_ids` has the id of the row. */
  | { readonly by: 'entries'; readonly field: string }

export type Found = Row | readonly Row[] | undefined

export interface Column {
  readonly relation: Relation
  readonly found: readonly Found[]
}
