import type { Ignored, ListQuery, Relations } from '../../storage/types.ts'
import { type Dialect, filterConditions, readDialect } from './dialects.ts'
import { isObject, isScalar } from './json-values.ts'
import { parseParameter } from './operators.ts'
import { parseSort } from './parse-sort.ts'
import { isGiven, parseWindow } from './parse-window.ts'
import { names, strings } from './strings.ts'
import { unreadable, unreadableIn } from './unreadable.ts'
import { isWord, outdone, readWords } from './words.ts'

/**
 * Parses the parameters of a list: those of json-server 0.17.4 as it does, and the keywords and dialects of others. What
 * makes no sense is ignored, as far as the rows allow: only filters that are nested too deep are refused here.
 */
export function parseQuery(query: Record<string, unknown>): ListQuery {
  const dialect = readDialect(query)
  const filters = dialect?.filters ?? []
  const search = (strings(query.q)[0] ?? searchIn(filters))?.toLowerCase()
  const words = readWords(query)
  const beaten = dialect ? beatenIn(dialect, query) : []
  const isBeaten = (name: string) => beaten.some((one) => one.name === name)
  const ignored = [...beaten, ...unreadableIn(query, isKeyword), ...unreadableSearches(filters)]
  return {
    ...(search ? { search } : {}),
    where: [
      ...Object.keys(query)
        .filter((name) => !isKeyword(name) && !dialect?.names.has(name))
        .map((name) => parseParameter(name, strings(query[name]))),
      ...filters.flatMap(filterConditions),
    ],
    sort: (!isBeaten('sort') && dialect?.sort) || parseSort(query),
    window: (!isBeaten('range') && dialect?.range) || parseWindow(query),
    ...parseRelations(query),
    ...(words.length > 0 ? { words } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
  }
}

/** Parses what to show of an item, or of each item of a list. */
export function parseRelations(query: Record<string, unknown>): Relations {
  const [fields, omit] = [names(query._fields), names(query._omit)]
  return {
    ...readRelations(query),
    ...(fields.length > 0 && { fields }),
    ...(omit.length > 0 && { omit }),
  }
}

function readRelations(query: Record<string, unknown>): Pick<Relations, 'embed' | 'expand'> {
  const [embed, expand] = [names(query._embed), names(query._expand)]
  const isAsked = isGiven(query._embed) || isGiven(query._expand)
  if (isAsked || !Object.hasOwn(query, 'embed')) return { embed, expand }
  return { embed: [...new Set(readDialect(query)?.embed)], expand }
}

/** Parses the collections whose dependent rows a DELETE removes: `_dependent=a,b`. */
export function parseDependents(query: Record<string, unknown>): readonly string[] {
  return names(query._dependent)
}

/** Parameters that are never filters, even if rows have a field of that name. */
const RESERVED = new Set([
  ...['q', '_sort', '_order', '_page', '_limit', '_start', '_end', '_embed', '_expand', '_delay'],
  // JSONP's callback, and jQuery's cache buster.
  ...['callback', '_'],
])

function isKeyword(name: string): boolean {
  return RESERVED.has(name) || isWord(name)
}

/** Which keywords take precedence over a dialect's parameter. */
const WINNERS = {
  sort: ['_sort', '_sortField'],
  range: ['_page', '_limit', '_start', '_end', '_per_page', '_perPage'],
  embed: ['_embed', '_expand'],
} as const

function beatenIn(dialect: Dialect, query: Record<string, unknown>): readonly Ignored[] {
  const ignored: Ignored[] = []
  for (const [name, winners] of Object.entries(WINNERS)) {
    const winner = dialect.names.has(name) ? winners.find((one) => isGiven(query[one])) : undefined
    if (winner) ignored.push(outdone(name, winner))
  }
  return ignored
}

function unreadableSearches(filters: Dialect['filters']): readonly Ignored[] {
  return filters.filter(({ q }) => isObject(q) || Array.isArray(q)).map(() => unreadable('q'))
}

function searchIn(filters: Dialect['filters']): string | undefined {
  const text = filters.map(({ q }) => q).find(isScalar)
  return text === undefined ? undefined : String(text)
}
