import { urlSegment } from '../../core/kernel/json/url-segment.ts'
import { type Filter, parseFilter } from './operators.ts'

export interface Sort {
  readonly field: string
  readonly order: 'asc' | 'desc'
}

/** The parameters with one text, by their names in `Query`. */
const TEXTS = {
  q: 'q',
  where: '_where',
  page: '_page',
  start: '_start',
  end: '_end',
  limit: '_limit',
  /** As `limit`, with the response in an envelope. */
  perPage: '_per_page',
} as const

/** The parameters with a list of names. */
const LISTS = { embed: '_embed', expand: '_expand', fields: '_fields', omit: '_omit' } as const

type Texts = Readonly<Record<keyof typeof TEXTS, string>>
type Lists = Readonly<Record<keyof typeof LISTS, readonly string[]>>

/** A list query as the controls show it. Empty parts are left out of the URL. */
export interface Query extends Texts, Lists {
  readonly filters: readonly Filter[]
  readonly sort: readonly Sort[]
}

/** Of a control that shows and changes a query. */
export interface QueryProps {
  readonly query: Query
  readonly onChange: (next: Partial<Query>) => void
}

const PARAMETERS: ReadonlySet<string> = new Set([
  ...Object.values(TEXTS),
  ...Object.values(LISTS),
  '_sort',
  '_order',
])

/**
 * Reads a query string, with or without its `?`. The opposite of `formatQuery`.
 * @param isField whether rows have a field of that name: then it is not split into field and operator
 */
export function parseQuery(text: string, isField: (name: string) => boolean = () => false): Query {
  const params = new URLSearchParams(text)
  const words = (name: string): string[] =>
    params.getAll(name).flatMap((value) => value.split(',').filter(Boolean))
  const orders = words('_order')
  return {
    ...mapValues(TEXTS, (name) => params.get(name) ?? ''),
    ...mapValues(LISTS, words),
    filters: [...params]
      .filter(([key]) => !PARAMETERS.has(key))
      .map(([key, value]) => parseFilter(key, value, isField)),
    sort: words('_sort').map((name, index) => parseSort(name, orders[index])),
  }
}

export const EMPTY_QUERY = parseQuery('')

export function formatQuery(query: Query): string {
  const { filters, sort } = query
  const isDescending = sort.some(({ order }) => order === 'desc')
  const texts = (...names: (keyof Texts)[]) => names.map((name) => [TEXTS[name], query[name]] as const)
  const pairs: readonly (readonly [string, string])[] = [
    ...texts('q'),
    ...filters
      .filter(({ field }) => field !== '')
      .map(({ field, operator, value }) => [`${field}${operator}`, value] as const),
    ...texts('where'),
    ['_sort', sort.map(({ field }) => field).join(',')],
    ['_order', isDescending ? sort.map(({ order }) => order).join(',') : ''],
    ...query.embed.map((name) => ['_embed', name] as const),
    ...query.expand.map((name) => ['_expand', name] as const),
    ['_fields', query.fields.join(',')],
    ['_omit', query.omit.join(',')],
    ...texts('page', 'start', 'end', 'limit', 'perPage'),
  ]
  return pairs
    .filter(([key, value]) => value !== '' || !PARAMETERS.has(key))
    .map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`)
    .join('&')
}

export function splitQuery(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** The opposite of `splitQuery`. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

export function pathOf(resource: string, id?: string): string {
  const path = `/${urlSegment(resource)}`
  return id === undefined ? path : `${path}/${urlSegment(id)}`
}

/** A leading `-` sorts down, whatever `_order` says. */
function parseSort(name: string, order: string | undefined): Sort {
  if (name.startsWith('-')) return { field: name.slice(1), order: 'desc' }
  return { field: name, order: order?.toLowerCase() === 'desc' ? 'desc' : 'asc' }
}

/** Commas, colons and the like mean themselves in a query, and stay readable. */
function encodeQuery(text: string): string {
  return urlSegment(text).replace(/%(?:2C|3A|2F|40|24)/g, decodeURIComponent)
}

function mapValues<Key extends string, Value>(
  names: Readonly<Record<Key, string>>,
  read: (name: string) => Value,
): Record<Key, Value> {
  const entries = Object.entries<string>(names).map(([key, name]) => [key, read(name)])
  return Object.fromEntries(entries) as Record<Key, Value>
}
