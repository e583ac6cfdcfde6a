import type { Word } from '../../engine/types.ts'
import { RequestError } from '../request-error.ts'
import { cursorQuestion, readCursor } from './cursors.ts'
import { readDialect } from './dialects.ts'
import {
  isGiven,
  missing,
  outdone,
  parseEnvelope,
  parseSort,
  parseWindow,
  strings,
  unreadable,
} from './parameter-values.ts'
import { parseWhere } from './parse-where.ts'
import type { Query } from './query-string.ts'

type Meaning = Word['means']

/** Keywords that json-server 0.17.4 did not have: its own take precedence. */
const WORDS: Readonly<Record<string, (query: Query, path: string) => Meaning>> = {
  _cursor: meaningOfCursor,
  _where: ({ _where }) => meaningOfWhere(strings(_where).filter(isGiven)),
  _per_page: (query) => {
    const winner = ['_limit', '_start', '_end'].find((name) => isGiven(query[name]))
    if (winner) return beaten('_per_page', winner)
    const window = parseEnvelope(query)
    if (window || !isGiven(query._per_page)) return window ? { window } : {}
    return { ignored: unreadable('_per_page', query._per_page) }
  },
  _perPage: (query) => {
    const winner = ['_limit', '_per_page'].find((name) => isGiven(query[name]))
    if (winner) return beaten('_perPage', winner)
    return isGiven(query._perPage) ? { window: parseWindow({ ...query, _limit: query._perPage }) } : {}
  },
  _sortField: ({ _sort, _sortField, _sortDir }) => {
    if (isGiven(_sort)) return beaten('_sortField', '_sort')
    return isGiven(_sortField) ? { sort: parseSort({ _sort: _sortField, _order: _sortDir }) } : {}
  },
  _sortDir: ({ _sort, _sortField, _sortDir }) => {
    if (isGiven(_sort)) return beaten('_sortDir', '_sort')
    return isGiven(_sortField) || !isGiven(_sortDir) ? {} : { ignored: missing('_sortDir', '_sortField') }
  },
  _explain: () => ({ ignored: { name: '_explain', reason: 'unknown field' } }),
  _strict: () => ({ ignored: { name: '_strict', reason: 'unknown field' } }),
}

/** Filters where rows have a field of that name. Otherwise the engine reports an unknown field: they are for the router. */
export const FLAGS: ReadonlySet<string> = new Set(['_explain', '_strict'])

/** Values of flags. */
export const FLAG_VALUES: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export const WORD_NAMES: readonly string[] = Object.keys(WORDS)

/** @param path of the list */
export function readWord(name: string, query: Query, path: string): Word {
  return { name, values: strings(query[name]), means: WORDS[name]?.(query, path) ?? {} }
}

function meaningOfCursor(query: Query, path: string): Meaning {
  const question = cursorQuestion(query, path)
  const text = strings(query._cursor)[0] ?? ''
  const after = text === '' ? undefined : readCursor(text, question)
  if (text !== '' && !after) return { error: OTHER_QUESTION }
  const size = Number.parseInt(strings(query._limit ?? query._perPage)[0] ?? '', 10)
  const beside = OTHER_PAGES.filter((name) => isGiven(query[name]))
  const ranged = readDialect(query)?.range ? ['range'] : []
  return {
    window: { kind: 'cursor', size: size > 0 ? size : 10, question, after },
    ignored: [...beside, ...ranged].map((name) => outdone(name, '_cursor')),
  }
}

const OTHER_PAGES = ['_page', '_per_page', '_start', '_end']

const OTHER_QUESTION =
  '_cursor is none of this question: path, filters, search and sort must stay the same. Begin again with _cursor=.'

function meaningOfWhere(texts: readonly string[]): Meaning {
  try {
    return { where: texts.map(parseWhere) }
  } catch (error) {
    // An error only if no row has a field of that name.
    if (error instanceof RequestError) return { error: error.message }
    throw error
  }
}

function beaten(name: string, winner: string): Meaning {
  return { ignored: outdone(name, winner) }
}
