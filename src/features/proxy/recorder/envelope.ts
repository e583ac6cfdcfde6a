import { isObject } from '../../../core/kernel/json/values.ts'
import { PRESETS } from '../../../wings/shapes/presets.ts'
import type { ShapeTemplate } from '../../../wings/shapes/shape-template.ts'
import { type Template, wordIn } from '../../../wings/shapes/template.ts'
import type { FoundRows } from './find-rows.ts'
import type { RecordedRoute } from './routes.ts'

/** A request for a list, and what its headers say. */
export interface ListAsked {
  readonly query: URLSearchParams
  /** By its header. */
  readonly total: number | undefined
}

const PAGE = /^(?:_?page|p|page_?(?:number|no|index)|page\[number\]|pagination\[page\])$/i
const SIZE = /^(?:_?(?:per|page)_?(?:page|size)|size|page\[size\]|pagination\[pageSize\])$/i
const LIMIT = /^(?:_?limit|count|take|page\[limit\]|pagination\[limit\])$/i
const START = /^(?:_?start|offset|skip|page\[offset\]|pagination\[start\])$/i

/** Meanings of keys around rows, without case and separators. */
const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:total|total(?:count|items|elements|results|records|rows|hits)|records?count|numfound|hits)$/,
    '$total',
  ],
  [/^(?:page|currentpage|page(?:number|index|no))$/, '$page'],
  [/^(?:pages|totalpages|pagecount|numpages)$/, '$pages'],
  [/^lastpage$/, '$lastPage'],
  [/^(?:size|perpage|pagesize|limit|itemsperpage)$/, '$size'],
  [/^(?:offset|skip|start|startindex)$/, '$start'],
  [/^from$/, '$from'],
  [/^to$/, '$to'],
]
const LINKS = ['first', 'last', 'next', 'prev']
const PAGES = ['firstPage', 'lastPage', 'nextPage', 'prevPage']

/** A route after a list: its template, and how the API counts pages. */
export function learnList(
  route: RecordedRoute,
  body: unknown,
  { at, rows }: FoundRows,
  asked: ListAsked,
): RecordedRoute {
  const isKnown = (route.preset ?? route.list) !== undefined
  const isSame = isKnown && listsOf(route).some((part) => fits(part, body, route.collection))
  const known = isSame ? route : undefined
  const preset = known ? known.preset : presetFor(body, at, route.collection)
  const list = known
    ? known.list
    : preset === undefined
      ? templateAt(body, at, rows.length, asked)
      : undefined
  const { preset: _, list: __, ...rest } = route
  const next: RecordedRoute = {
    ...rest,
    ...(preset !== undefined && { preset }),
    ...(list !== undefined && { list }),
  }
  const words = new Map(listsOf(next).flatMap((part) => [...wordsIn(part, body)]))
  const total = asked.total ?? words.get('total')
  const params = { ...route.params, ...paramsIn(asked.query, route.params) }
  const isPaged = Object.values(params).some((name) => asked.query.has(name))
  const isPart = total !== undefined && rows.length < total
  const size = isPaged ? route.size : (words.get('size') ?? (isPart ? rows.length : undefined))
  const page = params.page === undefined ? null : asked.query.get(params.page)
  const shown = words.get('page')
  const from = page === '0' || (shown === 0 && page === null) ? 0 : route.from
  return {
    ...next,
    ...(Object.keys(params).length > 0 && { params }),
    ...(size !== undefined && { size }),
    ...(from !== undefined && { from }),
    ...(total !== undefined && (!isPaged || route.total === undefined || total > route.total) && { total }),
  }
}

export function learnItem(route: RecordedRoute, body: unknown, { at, isResource }: FoundRows): RecordedRoute {
  if (isResource) return { ...route, preset: 'jsonapi' }
  const item = withAt(body, at, '$row')
  return { ...route, item }
}

/** The shape of the answers of a route. */
export function shapeOf({ preset, list, item, params, size, from }: RecordedRoute): ShapeTemplate {
  const base: ShapeTemplate = preset === undefined ? { list: list ?? '$rows' } : presetNamed(preset)
  const { size: _, ...pages } = base.pages ?? {}
  // Of a preset, what no setting may have.
  const { ignored: __, ...parts } = base
  return {
    ...parts,
    ...(item !== undefined && { item }),
    params: { ...base.params, ...params },
    pages: { ...pages, ...(size !== undefined && { size }), ...(from !== undefined && { from }) },
  }
}

function presetNamed(name: string): ShapeTemplate {
  return Object.hasOwn(PRESETS, name) ? Reflect.get(PRESETS, name) : {}
}

/** Templates of lists: of a page, of some rows, and of all. */
function listsOf({ preset, list = '$rows' }: RecordedRoute): readonly Template[] {
  if (preset === undefined) return [list]
  const { list: page, offset = page, unpaged = page } = presetNamed(preset)
  return [page, offset, unpaged]
}

function presetFor(body: unknown, at: readonly string[], collection: string): string | undefined {
  if (!isObject(body)) return undefined
  return Object.keys(PRESETS).find((name) => {
    const isLike = (part: Template) => fits(part, body, collection) && wordAt(part, at, collection) === 'rows'
    return listsOf({ collection, preset: name }).some(isLike)
  })
}

function wordAt(template: Template, at: readonly string[], collection: string): string | undefined {
  let here = template
  for (const key of at) {
    if (!isObject(here)) return undefined
    here = here[key] ?? (key === collection ? here.$resource : undefined)
  }
  return typeof here === 'string' ? wordIn(here) : undefined
}

/** Whether a body has the keys of a template, with lists where it has rows. */
function fits(template: Template, body: unknown, collection: string): boolean {
  if (typeof template === 'string') {
    const word = wordIn(template)
    if (word === 'rows') return Array.isArray(body)
    return word === undefined ? typeof body !== 'object' : body === null || typeof body !== 'object'
  }
  if (!isObject(template)) return !isObject(body) && Array.isArray(template) === Array.isArray(body)
  if (!isObject(body)) return false
  const own = new Map(
    Object.entries(template).map(([key, part]) => [key === '$resource' ? collection : key, part]),
  )
  const isWhole = [...own].every(
    ([key, part]) => part === '$included' || (Object.hasOwn(body, key) && fits(part, body[key], collection)),
  )
  return isWhole && Object.keys(body).every((key) => own.has(key))
}

/** The numbers that a body has where a template has words. */
function wordsIn(template: Template, body: unknown, found = new Map<string, number>()): Map<string, number> {
  if (typeof template === 'string') {
    const word = wordIn(template)
    if (word !== undefined && typeof body === 'number') found.set(word, body)
  } else if (isObject(template) && isObject(body)) {
    for (const [key, part] of Object.entries(template)) wordsIn(part, body[key], found)
  }
  return found
}

/** A body with one part replaced. */
function withAt(body: unknown, [key, ...rest]: readonly string[], part: Template): Template {
  if (key === undefined) return part
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, inner]) => [
      name,
      name === key ? withAt(inner, rest, part) : escaped(inner),
    ]),
  )
}

/** Text that a template would take for a word stays what it is: there is no way to write it, so nothing looks like it. */
function escaped(value: unknown): unknown {
  return typeof value === 'string' && value.includes('$') ? null : value
}

function templateAt(body: unknown, at: readonly string[], count: number, asked: ListAsked): Template {
  const whole = withAt(body, at, '$rows')
  const numbers = new Set<string>()
  const visit = (part: Template, key: string, above: string): Template => {
    if (part === '$rows') return part
    if (isObject(part))
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, visit(inner, name, key)]))
    const word =
      typeof part === 'number' || part === null || typeof part === 'string'
        ? wordFor(key, above, part)
        : undefined
    if (word !== undefined) numbers.add(word)
    return word ?? part
  }
  const template = visit(whole, '', '')
  const hasTotal = numbers.has('$total') || asked.total !== undefined
  const counts = (part: Template, key: string): Template => {
    if (isObject(part))
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, counts(inner, name)]))
    const isCount =
      /^(?:count|itemcount|numberofelements|results|length)$/.test(plain(key)) && typeof part === 'number'
    return isCount ? (hasTotal && part === count ? '$count' : '$total') : part
  }
  return counts(template, '')
}

function wordFor(key: string, above: string, value: number | string | null): string | undefined {
  const name = plain(key)
  if (typeof value === 'number') {
    const [, word] = NUMBERS.find(([pattern]) => pattern.test(name)) ?? []
    return (
      word ??
      PAGES.map((page) => `$${page}`).find((_, at) =>
        [`${LINKS[at]}page`, LINKS[at], plain(PAGES[at] ?? '')].includes(name),
      )
    )
  }
  const isUrl = value === null || /^(?:https?:\/)?\/|^\?/.test(value)
  const link = name === 'href' || name === 'url' ? plain(above) : name
  const linked = link === 'previous' ? 'prev' : link.replace(/(?:url|link|pageurl)$/, '')
  if (isUrl && LINKS.includes(linked)) return `$${linked}`
  if (value === null && /^(?:next|prev)page$/.test(name))
    return name === 'nextpage' ? '$nextPage' : '$prevPage'
  return undefined
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

function paramsIn(
  query: URLSearchParams,
  known: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of query) {
    if (!/^\d+$/.test(value)) continue
    if (PAGE.test(name)) params.page = name
    else if (SIZE.test(name)) params.size = name
    else if (START.test(name)) params.start = name
    else if (LIMIT.test(name)) params.limit = name
  }
  const { start = known.start, limit, ...rest } = params
  // Without a start, a limit is the size of a page.
  if (limit === undefined) return start === undefined ? rest : { ...rest, start }
  return start === undefined ? { ...rest, size: limit } : { ...rest, start, limit }
}
