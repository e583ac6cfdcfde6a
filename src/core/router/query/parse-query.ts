import type { Question } from '../../engine/question.ts'
import { isShaped } from '../../engine/relations/join-rows.ts'
import type { Ignored, ListQuery, Relations, Where, Word } from '../../engine/types.ts'
import { everyLeaf } from '../../engine/where.ts'
import { OPERATORS } from '../../kernel/catalogue/operators.ts'
import { isKeyword, PARAMETER_NAMES, PARAMETERS } from '../../kernel/catalogue/parameters.ts'
import { RequestError } from '../request-error.ts'
import { type Dialect, readDialect, withDialect } from './dialects.ts'
import {
  isGiven,
  names,
  orderFault,
  parseSort,
  parseWindow,
  strings,
  unreadable,
} from './parameter-values.ts'
import { parseParameter } from './parse-parameter.ts'
import type { Query } from './query-string.ts'
import { FLAGS, readWord, WORD_NAMES } from './words.ts'

interface Parsed {
  readonly where: Where[]
  readonly words: Word[]
  readonly ignored: Ignored[]
  search: string | undefined
  hasRelations: boolean
}

/** Parses the parameters of a list in one pass. Refuses only filters that are nested too deep. @param path of the list */
export function parseQuery(query: Query, path = ''): ListQuery {
  const parsed: Parsed = {
    where: [],
    words: [],
    ignored: [],
    search: undefined,
    hasRelations: false,
  }
  let dialect: Dialect | undefined
  for (const name of Object.keys(query)) {
    const value = query[name]
    const inner = typeof value === 'object' ? bracketedName(value) : undefined
    const read = READERS.get(name)
    if (inner !== undefined) parsed.ignored.push(bracketed(name, inner, read !== undefined))
    if (DIALECT.has(name)) {
      dialect ??= readDialect(query)
      if (dialect?.names.has(name)) continue
    }
    if (read === undefined) parsed.where.push(parseParameter(name, strings(value)))
    else read?.(parsed, query, name, path)
  }
  const { search, where, words, ignored } = parsed
  const hasShape = parsed.hasRelations || dialect !== undefined
  const { embed, expand, fields, omit } = hasShape ? parseRelations(query, dialect) : UNSHAPED
  const list: ListQuery = {
    ...(search ? { search } : {}),
    where,
    sort: parseSort(query),
    window: parseWindow(query),
    embed,
    expand,
    ...(fields ? { fields } : {}),
    ...(omit ? { omit } : {}),
    ...(words.length > 0 ? { words } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
  }
  return dialect ? withDialect(list, dialect, query) : list
}

const UNSHAPED: Relations = { embed: [], expand: [] }
const DIALECT: ReadonlySet<string> = new Set(PARAMETER_NAMES.filter((name) => PARAMETERS[name].isJson))

type Reader = (parsed: Parsed, query: Query, name: string, path: string) => void

function checkNumber(parsed: Parsed, query: Query, name: string): void {
  const text = strings(query[name]).join(',')
  const number = Number.parseInt(text, 10)
  // The first page is 1; page 0 is the same one.
  if (text !== '' && (Number.isNaN(number) || (name === '_page' && number < 1)))
    parsed.ignored.push(unreadable(name, query[name]))
}

function readRelations(parsed: Parsed): void {
  parsed.hasRelations = true
}

function addWord(parsed: Parsed, query: Query, name: string, path: string): void {
  parsed.words.push(readWord(name, query, path))
}

/** Parameters that are not filters, most of them even if rows have a field of that name. */
const READERS: ReadonlyMap<string, Reader | null> = new Map<string, Reader | null>([
  ...WORD_NAMES.map((name) => [name, addWord] as const),
  ...(['_fields', '_omit'] as const).map((name) => [name, readShape] as const),
  ...(['_embed', '_expand'] as const).map((name) => [name, readRelations] as const),
  ...(['_page', '_limit', '_start', '_end'] as const).map((name) => [name, checkNumber] as const),
  ['_order', readOrder],
  ['q', readSearch],
  ...(['_sort', '_delay', 'callback', '_'] as const).map((name) => [name, null] as const),
])

function readShape(parsed: Parsed, query: Query, name: string, path: string): void {
  parsed.hasRelations = true
  addWord(parsed, query, name, path)
}

function readOrder(parsed: Parsed, query: Query): void {
  parsed.ignored.push(...orderFault(query))
}

function readSearch(parsed: Parsed, { q }: Query): void {
  parsed.search = strings(q)[0]?.toLowerCase()
}

function bracketedName(value: unknown): string | undefined {
  if (value === null || Array.isArray(value) || strings(value).length > 0) return undefined
  return Object.keys(Object(value))[0]
}

function bracketed(name: string, inner: string, isKeyword: boolean): Ignored {
  return isKeyword ? unreadable(name) : { name: `${name}[${inner}]`, reason: 'matches nothing', detail: name }
}

/** The query of an item: filters have no effect there. */
export function parseItemQuery(query: Query): Pick<Question<'item'>, 'relations' | 'filters'> {
  const names = Object.keys(query)
  if (names.length === 0) return {}
  const dialect = readDialect(query)
  const relations = parseRelations(query, dialect)
  const mayBeField = (name: string) => (!isKeyword(name) || FLAGS.has(name)) && !dialect?.names.has(name)
  const filters = names.filter(mayBeField).map((name) => parseParameter(name, []))
  return {
    ...(isShaped(relations) && { relations }),
    ...(filters.length > 0 && { filters }),
  }
}

export function parseRelations(query: Query, dialect: Dialect | undefined): Relations {
  const isOwn = isGiven(query._embed) || isGiven(query._expand)
  const [fields, omit] = [names(query._fields), names(query._omit)]
  return {
    embed: isOwn ? names(query._embed) : [...new Set(dialect?.embed)],
    expand: names(query._expand),
    ...(fields.length > 0 && { fields }),
    ...(omit.length > 0 && { omit }),
  }
}

export function parseDependents(query: Query): readonly string[] {
  return names(query._dependent)
}

/** Limits on the work per row: otherwise the longest URL blocks a server of a few thousand rows for seconds. */
const MOST = { patterns: 50, nested: 50, sorts: 30 } as const

export function checkQuery(query: ListQuery): ListQuery {
  let [patterns, nested, sorts] = [0, 0, query.sort.length]
  for (const { orElse, path, ...own } of everyLeaf(query)) {
    const { op, values } = orElse ?? own
    const { compares, takes } = OPERATORS[op]
    // Each pattern is tried on every row; other operators compare once, however many values they have.
    if (takes === 'pair') patterns += values.length / 2
    else if (compares === 'pattern') patterns += values.length
    if (/[.[]/.test(path)) nested++
  }
  for (const { means } of query.words ?? []) sorts = Math.max(sorts, means.sort?.length ?? 0)
  if (patterns > MOST.patterns)
    refuseQuery(`${MOST.patterns} patterns (_like, _contains, _startsWith, _endsWith, _between)`)
  if (nested > MOST.nested) refuseQuery(`${MOST.nested} filters on nested fields`)
  if (sorts > MOST.sorts) refuseQuery(`${MOST.sorts} fields to sort by`)
  return query
}

function refuseQuery(what: string): never {
  throw new RequestError('INVALID_QUERY', `The query has more than ${what}; use fewer.`)
}
