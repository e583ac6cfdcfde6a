import { isOperator } from '../../../core/kernel/catalogue/operators.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { readDialect } from '../../../core/router/query/dialects.ts'
import { isGiven, names, strings } from '../../../core/router/query/parameter-values.ts'
import type { Query } from '../../../core/router/query/query-string.ts'
import type { PageSettings, ParameterKey, ShapeTemplate } from '../shape-template.ts'
import { Conditions, lookupFilter, lookupOf } from './translate-filter.ts'

export interface Translation {
  readonly query: Query
  /** The client's names of our parameters, for messages and links. */
  readonly sent: ReadonlyMap<string, string>
  /** Paths that the shape's filters and sorts use, also of parents' fields. */
  readonly paths: readonly string[]
  /** The fields to show of related rows, by the relation or its collection. */
  readonly picks: ReadonlyMap<string, readonly string[]>
  /** The client's parameters that have no readable value. */
  readonly unread: readonly string[]
}

/**
 * Our parameters for those of a shape. Ours are understood as well, and win, but not over those of a rewrite rule.
 * @param id the field with the id of rows, which is always shown
 * @param ruled the parameters that a rewrite rule set
 */
export function translateQuery(
  sent: Query,
  template: ShapeTemplate,
  { resource, id }: { readonly resource: string; readonly id: string },
  ruled: ReadonlySet<string>,
): Translation {
  const { params = {}, pages = {} } = template
  const query = ruled.size > 0 ? withoutBeaten(sent, params, ruled) : sent
  const reader = new Reader(query, params)
  translateWindow(reader, query, pages)
  translateSort(reader, params.lookup)
  // With both, the one of the shape is a filter: a write by a wider search would change more.
  const mayHaveSearch = ruled.has('filter') || ruled.has('_filters')
  const hasSearch = isGiven(query.q) || (mayHaveSearch && readDialect(query)?.filters.some(({ q }) => q))
  const search = hasSearch ? undefined : reader.take('search')
  if (search !== undefined) reader.set('q', search, 'search')
  const embed = reader.take('embed')
  if (embed !== undefined && !reader.has('_embed'))
    reader.set('_embed', relationsIn(embed, '', reader.picks).join(','), 'embed')
  const fields = reader.take('fields')
  const own = fields === undefined || reader.has('_fields') ? [] : fieldsIn(fields, resource, reader.picks)
  if (own.length > 0) reader.set('_fields', [id, ...own].join(','), 'fields')
  const conditions = new Conditions()
  const { filter, lookup } = params
  if (filter !== undefined && isObject(query[filter])) conditions.addFilter(reader.take('filter'), filter)
  if (lookup !== undefined) translateLookups(reader, lookup, conditions, ruled.size > 0)
  reader.add(conditions)
  return reader
}

type Params = NonNullable<ShapeTemplate['params']>

/** A query without the client's parameters that would win over a rule's in the words of the shape. */
function withoutBeaten(query: Query, params: Params, ruled: ReadonlySet<string>): Query {
  const isRuled = (key: ParameterKey) => {
    const [, outer = params[key] ?? '', inner] = BRACKETS.exec(params[key] ?? '') ?? []
    return ruled.has(outer) && (inner === undefined || Object.hasOwn(Object(query[outer]), inner))
  }
  const beaten = new Set(BEATEN.flatMap(([key, ours]) => (isRuled(key) ? ours : [])))
  // A field may have that name.
  if (readDialect(query)?.range === undefined) beaten.delete('range')
  if (isRuled('page') || isRuled('size')) {
    for (const key of ['start', 'limit'] as const) beaten.add(params[key] ?? '')
  }
  return Object.fromEntries(Object.entries(query).filter(([name]) => ruled.has(name) || !beaten.has(name)))
}

const OWN_WINDOW = ['_page', '_limit', '_start', '_end', '_per_page', '_perPage']

const ANY_WINDOW = [...OWN_WINDOW, 'range']

const BEATEN: readonly (readonly [ParameterKey, readonly string[]])[] = [
  ['page', ['_page', '_start', '_end', 'range']],
  ['size', ANY_WINDOW.filter((name) => name !== '_page')],
  ['start', ANY_WINDOW],
  ['limit', ANY_WINDOW],
  ['sort', ['_sort', '_order', '_sortField', '_sortDir']],
  ['search', ['q']],
  ['fields', ['_fields']],
]

/** The rest of a query, and what it was translated to. */
class Reader implements Translation {
  readonly query: Query
  readonly sent = new Map<string, string>()
  readonly paths: string[] = []
  readonly picks = new Map<string, readonly string[]>()
  readonly unread: string[] = []
  readonly #params: Params

  constructor(query: Query, params: Params) {
    this.query = { ...query }
    this.#params = params
  }

  /** Removes a parameter by the shape's name for it, which may be in brackets: `page[number]`. */
  take(key: ParameterKey): unknown {
    const name = this.#params[key]
    if (name === undefined) return undefined
    const [, outer = name, inner] = name.endsWith(']') ? (BRACKETS.exec(name) ?? []) : []
    const value = Object.hasOwn(this.query, outer) ? this.query[outer] : undefined
    if (inner === undefined) {
      // JSON is a parameter of another client: `sort=["name","ASC"]`.
      if (value === undefined || (typeof value === 'string' && /^\s*[[{]/.test(value))) return undefined
      delete this.query[outer]
      return value
    }
    if (!isObject(value) || !Object.hasOwn(value, inner)) return undefined
    const { [inner]: found, ...rest } = value
    if (Object.keys(rest).length > 0) this.query[outer] = rest
    else delete this.query[outer]
    return found
  }

  has(...ours: readonly string[]): boolean {
    return ours.some((name) => isGiven(this.query[name]))
  }

  set(ours: string, value: unknown, key: ParameterKey): void {
    if (isGiven(this.query[ours])) return
    this.query[ours] = value
    const name = this.#params[key]
    if (name !== undefined) this.sent.set(ours, name)
  }

  /** A number of rows: of the shape, if the client's is none. */
  count(value: unknown, size: number | undefined, key: ParameterKey): string | undefined {
    const text = strings(value)[0] ?? ''
    const number = Number.parseInt(text, 10)
    if (number > 0) return text
    const name = this.#params[key]
    if (text !== '' && Number.isNaN(number) && name !== undefined) this.unread.push(name)
    return size?.toString()
  }

  /** Beside the client's own `_where`: all of them hold. */
  add({ where, labels, paths }: Conditions): void {
    this.paths.push(...paths)
    if (where === undefined) return
    const own = [this.query._where ?? []].flat()
    this.query._where = [...own, where]
    if (own.length === 0) for (const [position, label] of labels) this.sent.set(position, label)
  }
}

const BRACKETS = /^([^[]+)\[([^\]]+)\]$/

function translateWindow(reader: Reader, query: Query, { from = 1, size, pastEnd }: PageSettings): void {
  const page = reader.take('page')
  const own = reader.take('size')
  const start = reader.take('start')
  const limit = reader.take('limit')
  const cursor = reader.take('cursor')
  if (cursor !== undefined) reader.set('_cursor', cursor, 'cursor')
  if (Object.hasOwn(reader.query, '_cursor')) {
    // What it beats is reported.
    if (isGiven(page)) reader.set('_page', numbered(page, from), 'page')
    if (isGiven(start)) reader.set('_start', start, 'start')
    const key = isGiven(own) ? 'size' : 'limit'
    const count = reader.count(isGiven(own) ? own : limit, size, key)
    if (count !== undefined) reader.set('_limit', count, key)
    return
  }
  // A field may have that name.
  const hasRange = readDialect(reader.query)?.range !== undefined
  if (hasRange || reader.has(...OWN_WINDOW)) {
    // A shape may have our names for two of them.
    for (const [name, value] of [
      ['_page', page],
      ['_per_page', own],
    ] as const) {
      if (query[name] !== undefined) reader.query[name] ??= value
    }
    // One of ours may leave the other to the shape: `_limit=5&page=2`.
    if (isGiven(page) && !hasRange && !reader.has('_page', '_start', '_end'))
      reader.set('_page', numbered(page, from), 'page')
    if (isGiven(own) && reader.has('_page') && !reader.has('_limit', '_per_page', '_perPage'))
      reader.set('_limit', own, 'size')
    return
  }
  if (isGiven(start) || isGiven(limit)) {
    reader.set('_start', start ?? '0', 'start')
    // 0 means all.
    if (Number(limit) !== 0) reader.set('_limit', reader.count(limit, size, 'limit') ?? '', 'limit')
    return
  }
  if (isGiven(page) || isGiven(own) || size !== undefined) {
    reader.set('_page', numbered(page, from), 'page')
    reader.set(pastEnd === 'last' ? '_per_page' : '_limit', reader.count(own, size ?? 10, 'size'), 'size')
  }
}

/** The number of a page as ours count; what is none is reported as it is. */
function numbered(page: unknown, from: number): string {
  const text = strings(page)[0] ?? ''
  const number = Number.parseInt(text, 10)
  return Number.isNaN(number) ? text || '1' : String(number + 1 - from)
}

/** `-price,name` (JSON:API, Django), `price,desc` (Spring), `price:desc` (Strapi), or the order in another parameter. */
function translateSort(reader: Reader, mark: string | undefined): void {
  const sort = reader.take('sort')
  // Without it, `order` is a field.
  if (sort === undefined) return
  const order = strings(reader.take('order')).join(',')
  if (reader.has('_sort', '_sortField')) return
  const keys = strings(sort).flatMap((text) => {
    const words = text.split(',')
    const last = /^(?:asc|desc)$/i.test(words.at(-1) ?? '') && words.length > 1 ? words.pop() : undefined
    return words.map((word) => {
      const [, minus, name = word, own] = /^([-+]?)(.*?)(?::(asc|desc))?$/is.exec(word) ?? []
      const path = mark === undefined ? name : name.replaceAll(mark, '.')
      reader.paths.push(path)
      return { path, order: minus === '-' ? 'desc' : (own ?? last ?? (order || 'asc')).toLowerCase() }
    })
  })
  if (keys.length === 0) return
  reader.set('_sort', keys.map(({ path }) => path).join(','), 'sort')
  reader.set('_order', keys.map((key) => key.order).join(','), 'sort')
}

type Picks = Map<string, readonly string[]>

/** `a,b`, `[0]=a&[1]=b`, `[a]=true`, and of types: `[articles]=a,b`. All of them (`*`) are those that are shown anyway. */
function fieldsIn(value: unknown, resource: string, picks: Picks): readonly string[] {
  const listed = names(value)
  if (listed.length > 0 || !isObject(value)) return listed
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = names(inner)
    if (own.length === 0 || isAll(own)) return [name]
    if (name === resource) return own
    picks.set(name, own)
    return []
  })
}

/** `a,b.c`, `[0]=a`, `[a]=true`, `[a][fields]=x&[a][populate]=b` */
function relationsIn(value: unknown, prefix: string, picks: Picks): readonly string[] {
  const listed = names(value)
  if (listed.length > 0 || !isObject(value)) return listed.map((name) => prefix + name)
  return Object.entries(value).flatMap(([name, inner]) => {
    const relation = prefix + name
    const { fields, populate } = Object(inner)
    const own = names(fields)
    if (own.length > 0 && !isAll(own)) picks.set(relation, own)
    return [relation, ...relationsIn(populate, `${relation}.`, picks)]
  })
}

function isAll(own: readonly string[]): boolean {
  return own.every((name) => name === 'true' || name === '*')
}

/**
 * `price__gte=3`, as in Django. Beside another filter of that kind, it is a condition of its own: both hold.
 * @param areApart whether all of them are, since the other may have another spelling: `ownerId=1&owner_id__exact=2`
 */
function translateLookups(reader: Reader, mark: string, conditions: Conditions, areApart: boolean): void {
  const isLookup = (name: string) => name.includes(mark) && !name.startsWith('_')
  const all = Object.keys(reader.query)
  const taken = new Set(all.filter((name) => !isLookup(name)).map(plainName))
  for (const name of all.filter(isLookup)) {
    const lookup = lookupOf(name.split(mark))
    const sent = reader.query[name]
    delete reader.query[name]
    reader.paths.push(lookup.path)
    const { name: ours, value } = lookupFilter(lookup, sent)
    if (areApart || taken.has(ours) || lookup.op === 'eqi') conditions.addLookup(lookup, sent, name)
    else {
      taken.add(ours)
      reader.query[ours] = value
      reader.sent.set(ours, name)
    }
  }
}

/** Of spellings of the same filter: `price:gte`, `price_eq`. */
function plainName(name: string): string {
  const [, path, op = ''] = /^(.*)[_:]([a-zA-Z]+)$/s.exec(name) ?? []
  if (path === undefined || !isOperator(op)) return name
  return op === 'eq' ? path : `${path}_${op}`
}
