import { PARAMETER_NAMES, PARAMETERS } from '../../query/parameters.ts'
import type { Ignored, ListQuery, Relations, Where } from '../../storage/types.ts'
import { type Dialect, filterConditions, readDialect } from './dialects.ts'
import { isObject, isScalar } from './json-values.ts'
import { parseParameter } from './operators.ts'
import { parseSort } from './parse-sort.ts'
import { isGiven, parseWindow } from './parse-window.ts'
import { names, strings } from './strings.ts'
import { unreadable, unreadableIn } from './unreadable.ts'
import { outdone, readWords, WORD_NAMES } from './words.ts'

/** Parses the parameters of a list: those of json-server 0.17.4, and of others. Only too deep filters are refused. */
export function parseQuery(query: Record<string, unknown>): ListQuery {
  const dialect = readDialect(query)
  const where: Where[] = []
  for (const name of Object.keys(query)) {
    if (!KEYWORDS.has(name) && !dialect?.names.has(name)) {
      where.push(parseParameter(name, strings(query[name])))
    }
  }
  const [search] = strings(query.q)
  const words = readWords(query)
  const ignored = unreadableIn(query, KEYWORDS)
  const parsed: ListQuery = {
    ...(search ? { search: search.toLowerCase() } : {}),
    where,
    sort: parseSort(query),
    window: parseWindow(query),
    ...parseRelations(query),
    ...(words.length > 0 ? { words } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
  }
  return dialect ? withDialect(parsed, dialect, query) : parsed
}

/** Parses what to show of an item, or of each item of a list. */
export function parseRelations(query: Record<string, unknown>): Relations {
  const [fields, omit, expand] = [names(query._fields), names(query._omit), names(query._expand)]
  const isAsked = isGiven(query._embed) || isGiven(query._expand)
  const isDialect = !isAsked && Object.hasOwn(query, 'embed')
  return {
    embed: isDialect ? [...new Set(readDialect(query)?.embed)] : names(query._embed),
    expand,
    ...(fields.length > 0 && { fields }),
    ...(omit.length > 0 && { omit }),
  }
}

export function parseDependents(query: Record<string, unknown>): readonly string[] {
  return names(query._dependent)
}

const OF_WRITES: ReadonlySet<string> = new Set(['replace', 'delete', 'many'])

/** Parameters that are not simply filters: most of them not even if rows have a field of that name. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...PARAMETER_NAMES.filter((name) => !PARAMETERS[name].givesWay && !OF_WRITES.has(PARAMETERS[name].on)),
  ...WORD_NAMES,
])

/** The query with what a dialect asks for besides. Our own keywords take precedence. */
function withDialect(parsed: ListQuery, dialect: Dialect, query: Record<string, unknown>): ListQuery {
  const { filters, sort, range } = dialect
  const searches = filters.map(({ q }) => q)
  const search = strings(query.q).length > 0 ? '' : String(searches.find(isScalar) ?? '')
  const beaten: Ignored[] = []
  for (const [name, winners] of Object.entries(WINNERS)) {
    const winner = dialect.names.has(name) ? winners.find((one) => isGiven(query[one])) : undefined
    if (winner) beaten.push(outdone(name, winner))
  }
  const isBeaten = (name: string) => beaten.some((one) => one.name === name)
  const unread = searches.filter((q) => isObject(q) || Array.isArray(q)).map(() => unreadable('q'))
  const ignored = [...beaten, ...(parsed.ignored ?? []), ...unread]
  return {
    ...parsed,
    ...(search ? { search: search.toLowerCase() } : {}),
    where: [...parsed.where, ...filters.flatMap(filterConditions)],
    ...(sort && !isBeaten('sort') && { sort }),
    ...(range && !isBeaten('range') && { window: range }),
    ...(ignored.length > 0 ? { ignored } : {}),
  }
}

const WINNERS = {
  sort: ['_sort', '_sortField'],
  range: ['_page', '_limit', '_start', '_end', '_per_page', '_perPage'],
  embed: ['_embed', '_expand'],
} as const
