import type { Condition } from '../../engine/types.ts'
import { isOperator, OPERATOR_NAMES, OPERATORS, type Operator } from '../../kernel/catalogue/operators.ts'

/** In json-server 0.17.4 these are operators whatever fields there are. */
const OLD = new RegExp(`^(.*)_(${OPERATOR_NAMES.filter((name) => OPERATORS[name].isOld).join('|')})$`, 's')
const ANY = /^(.*)[_:]([a-zA-Z]+)$/s

export function parseParameter(name: string, values: readonly string[]): Condition {
  const old = OLD.exec(name)
  if (old) return { path: old[1] ?? '', op: old[2] as Operator, values }
  const [, path = '', op = ''] = ANY.exec(name) ?? []
  if (!isOperator(op)) return { path: name, op: 'eq', values }
  return { path: name, op: 'eq', values, orElse: readValues(path, op, values) }
}

function readValues(path: string, op: Operator, values: readonly string[]): Condition {
  const { takes } = OPERATORS[op]
  if (takes === 'value') return { path, op, values }
  const read = READERS[takes]
  const parsed = values.map(read)
  const unread = values.filter((_, at) => parsed[at] === undefined)
  if (takes !== 'list' && values.length === 0) unread.push('')
  const flat = parsed.flatMap((some) => some ?? [])
  return {
    path,
    op,
    values: takes === 'toggle' ? flat.slice(-1) : flat,
    ...(unread.length > 0 ? { unread } : {}),
  }
}

const READERS = {
  list: parseCsv,
  pair: readPair,
  toggle: (text: string) => (text === 'true' || text === 'false' ? [text] : undefined),
} as const

function readPair(text: string): readonly string[] | undefined {
  const pair = parseCsv(text)
  return pair?.length === 2 && pair.every((end) => end !== '') ? pair : undefined
}

/** Entries of a CSV list, trimmed: `"a,b", c` has two. Undefined if a quote is not closed, or no comma follows. */
export function parseCsv(text: string): readonly string[] | undefined {
  if (text.trim() === '') return []
  const entries: string[] = []
  for (let at = 0; at <= text.length; ) {
    ENTRY.lastIndex = at
    const match = ENTRY.exec(text)
    if (!match) return undefined
    const [whole, quoted, plain = ''] = match
    entries.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    at += whole.length + 1
  }
  return entries
}

const ENTRY = /\s*"((?:[^"]|"")*)"\s*(?=,|$)|(?!\s*")([^,]*)/y
