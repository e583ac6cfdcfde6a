import { urlSegment } from '../../json/url-segment.ts'
import { type Filter, parseFilter } from './operators.ts'

export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** A list query as the controls show it: strings, as typed. Empty ones are left out of the URL. */
export interface Query {
  readonly q: string
  readonly filters: readonly Filter[]
  /** JSON. */
  readonly where: string
  readonly sort: readonly Sort[]
  readonly embed: readonly string[]
  readonly expand: readonly string[]
  readonly fields: readonly string[]
  readonly omit: readonly string[]
  readonly page: string
  readonly limit: string
  readonly start: string
  readonly end: string
  /** As `limit`, with the answer in an envelope. */
  readonly perPage: string
}

export const EMPTY_QUERY: Query = {
  q: '',
  filters: [],
  where: '',
  sort: [],
  embed: [],
  expand: [],
  fields: [],
  omit: [],
  page: '',
  limit: '',
  start: '',
  end: '',
  perPage: '',
}

/**
 * Reads a query string, with or without its `?`. The opposite of `formatQuery`.
 * @param isField whether rows have a field of that name, which then is not a field and an operator
 */
export function parseQuery(text: string, isField: (name: string) => boolean = () => false): Query {
  const params = new URLSearchParams(text)
  const words = (name: string): string[] =>
    params.getAll(name).flatMap((value) => value.split(',').filter(Boolean))
  const first = (name: string): string => params.get(name) ?? ''
  const orders = words('_order')
  return {
    q: first('q'),
    filters: [...params]
      .filter(([key]) => !KNOWN.has(key))
      .map(([key, value]) => parseFilter(key, value, isField)),
    where: first('_where'),
    sort: words('_sort').map((name, index) => parseSort(name, orders[index])),
    embed: words('_embed'),
    expand: words('_expand'),
    fields: words('_fields'),
    omit: words('_omit'),
    page: first('_page'),
    limit: first('_limit'),
    start: first('_start'),
    end: first('_end'),
    perPage: first('_per_page'),
  }
}

/** The query string for it, without `?`. */
export function formatQuery(query: Query): string {
  const pairs: readonly (readonly [string, string])[] = [
    ['q', query.q],
    ...query.filters
      .filter(({ field }) => field !== '')
      .map(({ field, operator, value }) => [`${field}${operator}`, value] as const),
    ['_where', query.where],
    ['_sort', query.sort.map(({ field }) => field).join(',')],
    [
      '_order',
      query.sort.some(({ order }) => order === 'desc') ? query.sort.map(({ order }) => order).join(',') : '',
    ],
    ...query.embed.map((name) => ['_embed', name] as const),
    ...query.expand.map((name) => ['_expand', name] as const),
    ['_fields', query.fields.join(',')],
    ['_omit', query.omit.join(',')],
    ['_page', query.page],
    ['_start', query.start],
    ['_end', query.end],
    ['_limit', query.limit],
    ['_per_page', query.perPage],
  ]
  return pairs
    .filter(([key, value]) => value !== '' || !KNOWN.has(key))
    .map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`)
    .join('&')
}

/** Path and query, joined. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** The path of a resource, or of one of its items. */
export function pathOf(resource: string, id?: string): string {
  const path = `/${urlSegment(resource)}`
  return id === undefined ? path : `${path}/${urlSegment(id)}`
}

const KNOWN: ReadonlySet<string> = new Set([
  'q',
  '_where',
  '_sort',
  '_order',
  '_embed',
  '_expand',
  '_fields',
  '_omit',
  '_page',
  '_limit',
  '_start',
  '_end',
  '_per_page',
])

/** A leading `-` sorts down, whatever `_order` says. */
function parseSort(name: string, order: string | undefined): Sort {
  if (name.startsWith('-')) return { field: name.slice(1), order: 'desc' }
  return { field: name, order: order?.toLowerCase() === 'desc' ? 'desc' : 'asc' }
}

/** Commas, colons and the like mean themselves in a query, and stay readable. */
function encodeQuery(text: string): string {
  return urlSegment(text).replace(/%(?:2C|3A|2F|40|24)/g, decodeURIComponent)
}
