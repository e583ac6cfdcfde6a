/** What follows a field's name in the query: nothing asks for equality. */
export const OPERATORS = {
  '': 'is',
  _ne: 'is not',
  _gte: 'at least',
  _lte: 'at most',
  _like: 'matches',
} as const

export type Operator = keyof typeof OPERATORS

export interface Filter {
  readonly field: string
  readonly operator: Operator
  readonly value: string
}

export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** A list query as the controls show it: strings, as typed. Empty ones are left out of the URL. */
export interface Query {
  readonly q: string
  readonly filters: readonly Filter[]
  readonly sort: readonly Sort[]
  readonly embed: readonly string[]
  readonly expand: readonly string[]
  readonly page: string
  readonly limit: string
  readonly start: string
  readonly end: string
}

export const EMPTY_QUERY: Query = {
  q: '',
  filters: [],
  sort: [],
  embed: [],
  expand: [],
  page: '',
  limit: '',
  start: '',
  end: '',
}

/** Reads a query string, with or without its `?`. The opposite of `formatQuery`. */
export function parseQuery(text: string): Query {
  const params = new URLSearchParams(text)
  const words = (name: string): string[] =>
    params.getAll(name).flatMap((value) => value.split(',').filter(Boolean))
  const first = (name: string): string => params.get(name) ?? ''
  const orders = words('_order')
  return {
    q: first('q'),
    filters: [...params].filter(([key]) => !KNOWN.has(key)).map(([key, value]) => parseFilter(key, value)),
    sort: words('_sort').map((field, index) => ({
      field,
      order: orders[index]?.toLowerCase() === 'desc' ? 'desc' : 'asc',
    })),
    embed: words('_embed'),
    expand: words('_expand'),
    page: first('_page'),
    limit: first('_limit'),
    start: first('_start'),
    end: first('_end'),
  }
}

/** The query string for it, without `?`. */
export function formatQuery(query: Query): string {
  const pairs: readonly (readonly [string, string])[] = [
    ['q', query.q],
    ...query.filters
      .filter(({ field }) => field !== '')
      .map(({ field, operator, value }) => [`${field}${operator}`, value] as const),
    ['_sort', query.sort.map(({ field }) => field).join(',')],
    [
      '_order',
      query.sort.some(({ order }) => order === 'desc') ? query.sort.map(({ order }) => order).join(',') : '',
    ],
    ...query.embed.map((name) => ['_embed', name] as const),
    ...query.expand.map((name) => ['_expand', name] as const),
    ['_page', query.page],
    ['_start', query.start],
    ['_end', query.end],
    ['_limit', query.limit],
  ]
  return pairs
    .filter(([key, value]) => value !== '' || !KNOWN.has(key))
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .join('&')
}

/** Path and query, joined. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** The path of a resource, or of one of its items. */
export function pathOf(resource: string, id?: string): string {
  const path = `/${encodeURIComponent(resource)}`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

const KNOWN: ReadonlySet<string> = new Set([
  'q',
  '_sort',
  '_order',
  '_embed',
  '_expand',
  '_page',
  '_limit',
  '_start',
  '_end',
])

function parseFilter(key: string, value: string): Filter {
  const operator = (['_ne', '_gte', '_lte', '_like'] as const).find(
    (suffix) => key.endsWith(suffix) && key.length > suffix.length,
  )
  return operator === undefined
    ? { field: key, operator: '', value }
    : { field: key.slice(0, -operator.length), operator, value }
}

/** Commas, colons and the like mean themselves in a query, and stay readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|3A|2F|40|24)/g, decodeURIComponent)
}
