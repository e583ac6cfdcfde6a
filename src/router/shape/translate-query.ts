import { isObject } from '../../json/values.ts'
import type { PageSettings, ParameterKey, ShapeTemplate } from '../../shape/shape-template.ts'
import { pluralOf } from '../../storage/relations/relations.ts'
import { isGiven, strings } from '../query/parameter-values.ts'
import type { Query } from '../query/query-string.ts'
import { lookupFilter, whereOf } from './translate-filter.ts'

export interface Translation {
  readonly query: Query
  /** The client's names of our parameters, for messages and links. */
  readonly sent: ReadonlyMap<string, string>
}

/** Our parameters for those of a shape. Ours are understood as well, and win. */
export function translateQuery(
  query: Query,
  template: ShapeTemplate,
  resource: string,
  id: string,
): Translation {
  const { params = {}, pages = {} } = template
  const reader = new Reader(query, params)
  translateWindow(reader, query, pages)
  translateSort(reader)
  const search = reader.take('search')
  if (search !== undefined) reader.set('q', search, 'search')
  const embed = reader.take('embed')
  if (embed !== undefined) reader.set('_embed', namesIn(embed).join(','), 'embed')
  const fields = reader.take('fields')
  const shown =
    fields === undefined ? [] : fieldsIn(fields, resource, embed === undefined ? [] : namesIn(embed), id)
  if (shown.length > 0) reader.set('_fields', shown.join(','), 'fields')
  const filter =
    params.filter !== undefined && isObject(query[params.filter]) ? reader.take('filter') : undefined
  if (filter !== undefined) {
    const own = strings(query._where)
    reader.set('_where', [...own, JSON.stringify(whereOf(filter))], 'filter')
  }
  if (params.lookup !== undefined) translateLookups(reader, params.lookup)
  return reader
}

/** The rest of a query, and what it was translated to. */
class Reader implements Translation {
  readonly query: Query
  readonly sent = new Map<string, string>()
  readonly #params: NonNullable<ShapeTemplate['params']>

  constructor(query: Query, params: NonNullable<ShapeTemplate['params']>) {
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

  set(ours: string, value: unknown, key: ParameterKey): void {
    if (ours !== '_where' && isGiven(this.query[ours])) return
    this.query[ours] = value
    const name = this.#params[key]
    if (name !== undefined) this.sent.set(ours, name)
  }
}

const BRACKETS = /^([^[]+)\[([^\]]+)\]$/

const OWN_WINDOW = ['_page', '_limit', '_start', '_end', '_per_page', '_perPage', 'range']

function translateWindow(reader: Reader, query: Query, { from = 1, size, pastEnd }: PageSettings): void {
  const page = reader.take('page')
  const own = reader.take('size')
  const start = reader.take('start')
  const limit = reader.take('limit')
  if (OWN_WINDOW.some((name) => isGiven(reader.query[name]))) {
    // A shape may have our names for two of them.
    for (const [name, value] of [
      ['_page', page],
      ['_per_page', own],
    ] as const) {
      if (query[name] !== undefined) reader.query[name] ??= value
    }
    // One of ours may leave the other to the shape: `_limit=5&page=2`.
    const has = (...names: readonly string[]) => names.some((name) => isGiven(reader.query[name]))
    if (isGiven(page) && !has('_page', '_start', '_end', 'range'))
      reader.set('_page', numbered(page, from), 'page')
    if (isGiven(own) && has('_page') && !has('_limit', '_per_page', '_perPage'))
      reader.set('_limit', own, 'size')
    return
  }
  if (isGiven(start) || isGiven(limit)) {
    reader.set('_start', start ?? '0', 'start')
    // 0 means all.
    if (Number(limit) !== 0) reader.set('_limit', limit ?? size?.toString() ?? '', 'limit')
    return
  }
  if (isGiven(page) || isGiven(own) || size !== undefined) {
    reader.set('_page', numbered(page, from), 'page')
    const isNone = Number.parseInt(strings(own)[0] ?? '', 10) <= 0
    reader.set(
      pastEnd === 'last' ? '_per_page' : '_limit',
      (isNone ? undefined : own) ?? String(size ?? 10),
      'size',
    )
  }
}

/** The number of a page as ours count; what is none is reported as it is. */
function numbered(page: unknown, from: number): string {
  const text = strings(page)[0] ?? ''
  const number = Number.parseInt(text, 10)
  return Number.isNaN(number) ? text || '1' : String(number + 1 - from)
}

/** `-price,name` (JSON:API, Django), `price,desc` (Spring), `price:desc` (Strapi), or the order in another parameter. */
function translateSort(reader: Reader): void {
  const sort = reader.take('sort')
  // Without it, `order` is a field.
  if (sort === undefined) return
  const order = strings(reader.take('order')).join(',')
  const keys = strings(sort).flatMap((text) => {
    const words = text.split(',')
    const last = /^(?:asc|desc)$/i.test(words.at(-1) ?? '') && words.length > 1 ? words.pop() : undefined
    return words.map((word) => {
      const [, minus, path = word, own] = /^([-+]?)(.*?)(?::(asc|desc))?$/is.exec(word) ?? []
      return { path, order: minus === '-' ? 'desc' : (own ?? last ?? (order || 'asc')).toLowerCase() }
    })
  })
  if (keys.length === 0) return
  reader.set('_sort', keys.map(({ path }) => path).join(','), 'sort')
  reader.set('_order', keys.map((key) => key.order).join(','), 'sort')
}

/** `a,b`, `[0]=a&[1]=b`, `[a]=true`, `[articles]=a,b`. All of them (`*`) cannot be told apart from none. */
function namesIn(value: unknown): readonly string[] {
  const listed = strings(value)
  if (listed.length > 0 || !isObject(value)) return listed.flatMap((text) => text.split(','))
  return Object.entries(value).flatMap(([name, inner]) => {
    const texts = strings(inner)
    return texts.length === 0 || texts.every((text) => /^(?:true|\*)$/.test(text)) ? [name] : texts
  })
}

/** `a,b`, or by type, for related rows as well: `[articles]=title&[people]=name`. The id is always there. */
function fieldsIn(
  fields: unknown,
  resource: string,
  relations: readonly string[],
  id: string,
): readonly string[] {
  if (!isObject(fields) || strings(fields).length > 0) return [id, ...namesIn(fields)]
  if (!Object.hasOwn(fields, resource)) return []
  const related = relations.flatMap((relation) => {
    const type = [relation, pluralOf(relation)].find((name) => Object.hasOwn(fields, name))
    return type === undefined ? [] : [id, ...namesIn(fields[type])].map((name) => `${relation}.${name}`)
  })
  const own = namesIn(fields[resource]).filter((name) => !relations.includes(name))
  return [id, ...own, ...related]
}

/** `price__gte=3`, as in Django */
function translateLookups(reader: Reader, mark: string): void {
  for (const [name, value] of Object.entries(reader.query)) {
    if (!name.includes(mark) || name.startsWith('_')) continue
    const { name: ours, value: meant } = lookupFilter(name.split(mark), value)
    delete reader.query[name]
    reader.query[ours] = meant
    reader.sent.set(ours, name)
  }
}
