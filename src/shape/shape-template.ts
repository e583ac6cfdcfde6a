import type { KeyStyle } from './key-style.ts'
import type { Template } from './template.ts'

/** Parameters of a list that other servers call otherwise. */
export const PARAMETER_KEYS = [
  ...(['page', 'size', 'start', 'limit', 'sort', 'order', 'search'] as const),
  ...(['fields', 'embed', 'filter', 'lookup'] as const),
] as const

export type ParameterKey = (typeof PARAMETER_KEYS)[number]

export interface ShapeTemplate {
  readonly list?: Template
  /** A list of all rows, where it looks different. */
  readonly unpaged?: Template
  /** A list from one row to another, where it looks different from a page. */
  readonly offset?: Template
  readonly item?: Template
  /** Each row, in lists and items. */
  readonly row?: Template
  readonly error?: Template
  /** An error of certain fields, where it looks different. */
  readonly invalid?: Template
  readonly keys?: KeyStyle | undefined
  readonly params?: { readonly [K in ParameterKey]?: string | undefined } | undefined
  readonly pages?: PageSettings | undefined
  readonly type?: string | undefined
  /** What clients may send around a row beside all this, and is not stored. */
  readonly ignored?: readonly string[]
}

export interface PageSettings {
  /** The number of the first page. @default 1 */
  readonly from?: number | undefined
  /** Rows on a page, unless the client says. Without it, a list has all rows. */
  readonly size?: number | undefined
  /** Past the end comes the last page, as in json-server 1.0; otherwise, nothing. */
  readonly pastEnd?: 'last' | undefined
}
