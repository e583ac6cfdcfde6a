import { ConfigError } from '../../kernel/catalogue/error-classes.ts'
import { isOperator } from '../../kernel/catalogue/operators.ts'
import type { RewrittenParts } from '../../kernel/http/request-context.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import {
  type Capture,
  compilePattern,
  type Match,
  MOST_OF_PATTERN,
  type Pattern,
  PatternTooLarge,
} from './rewrite-pattern.ts'

/** The rewritten URL, and which parts of it come from the rule; undefined if the rule does not match. */
export type Rewrite = (url: string) => (RewrittenParts & { readonly url: string }) | undefined

/** Compiles one line of a routes file; throws a one-line error if it cannot work. */
export function compileRule(pattern: string, target: string): Rewrite {
  const left = readPattern(pattern, target)
  const right = readTarget(pattern, target, left.names)
  const endsByRule = /\/[^/$:]+$/.test(target.split('?', 1)[0] ?? '')
  return function rewrite(url) {
    // Parsers would not find the rule's query after a `#`.
    const match = left.match(url.includes('#') ? url.replaceAll('#', '%23') : url)
    return match && { ...mergeQuery(fill(right, match), match.rest), endsByRule }
  }
}

type Position = 'path' | 'query' | 'parameter'

/** A capture's position, and where it goes: a `parameter` is one that fills `?$1` or `&$1` alone. */
interface Slot {
  readonly index: number
  readonly place: Position
}

function readPattern(pattern: string, target: string): Pattern {
  try {
    return compilePattern(pattern)
  } catch (cause) {
    const reason =
      cause instanceof PatternTooLarge
        ? `the pattern is larger than ${MOST_OF_PATTERN}; split it into several rules`
        : 'the pattern is not a valid regular expression; check its groups and brackets'
    throw fault(pattern, target, reason, cause)
  }
}

function readTarget(pattern: string, target: string, names: Pattern['names']): (string | Slot)[] {
  if (target === '') throw fault(pattern, target, 'the target is empty; write "/" for the home page')
  if (/^https?:\/\//i.test(target)) throw fault(pattern, target, ELSEWHERE)
  const parts: (string | Slot)[] = []
  let end = 0
  for (const found of target.matchAll(/\$(\d+)|:(\w+)/g)) {
    const [text, position, name] = found
    const index = name === undefined ? Number(position) : names.lastIndexOf(name) + 1
    if (index > names.length || (index === 0 && name !== undefined)) {
      throw fault(
        pattern,
        target,
        `the target uses ${text}, which the pattern does not have; ${remedy(names)}`,
      )
    }
    const next = found.index + text.length
    const isAlone = /[?&]/.test(target.charAt(found.index - 1)) && /^(?:&|$)/.test(target.slice(next))
    const inQuery = isAlone ? 'parameter' : 'query'
    const place = target.slice(0, found.index).includes('?') ? inQuery : 'path'
    parts.push(target.slice(end, found.index), { index, place })
    end = next
  }
  return [...parts, target.slice(end)]
}

const ELSEWHERE = 'a rule leads to a path of this server, such as "/posts", and not to another server'

function fill(parts: readonly (string | Slot)[], { captures }: Match): Filled {
  let url = ''
  const written: [number, number][] = []
  for (const part of parts) {
    const text = typeof part === 'string' ? part : write(captures[part.index], part.place)
    if (url === '' && text !== '' && !text.startsWith('/')) url = '/'
    if (typeof part !== 'string') written.push([url.length, url.length + text.length])
    url += text
  }
  return { url: url || '/', written }
}

/** Client input stays percent-encoded, and cannot become more than the single value it was. */
function write(capture: Capture | undefined, place: Position): string {
  const { value, from } = capture ?? { value: '', from: 'url' }
  if (from === 'path' && place === 'query') return value.replace(/[&=+]/g, encodeURIComponent)
  if (from === 'query' && place === 'path')
    return value.replace(/\+/g, '%20').replace(/[/?]/g, encodeURIComponent)
  return value
}

function remedy(names: Pattern['names']): string {
  const available = names.map((name, i) => (typeof name === 'string' ? `:${name}` : `$${i + 1}`))
  return available.length === 0 ? 'it captures nothing' : `it has ${available.join(', ')}`
}

function fault(pattern: string, target: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`Rewrite rule "${pattern}": "${target}" cannot work: ${reason}.`, { cause })
}

/** A URL, and the ranges in it that came from the client, as [start, end). */
interface Filled {
  readonly url: string
  readonly written: readonly (readonly [start: number, end: number])[]
}

/** The rule's parameters, then those of the client's that can only narrow what the rule asks for. */
function mergeQuery({ url, written }: Filled, rest: readonly string[]) {
  const mark = url.indexOf('?')
  if (mark === -1) return { url: rest.length === 0 ? url : `${url}?${rest.join('&')}`, parameters: NONE }
  const parts = partsOf(url, mark + 1, written)
  const own = parts.filter(({ isOwn }) => isOwn).map(({ text }) => text)
  const parameters = new Set(own.flatMap(namesOf))
  const taken = new Set([...parameters, ...own.flatMap(winnersOver)])
  const isTaken = (text: string) => namesOf(text).some((name) => taken.has(name))
  const remaining = parts.filter(({ text, isOwn }) => isOwn || !isTaken(text)).map(({ text }) => text)
  const added = rest.filter((text) => text !== '' && !isTaken(text))
  return { url: `${url.slice(0, mark + 1)}${[...remaining, ...added].join('&')}`, parameters }
}

const NONE: ReadonlySet<string> = new Set()

function partsOf(url: string, from: number, written: Filled['written']) {
  let start = from
  return url
    .slice(from)
    .split('&')
    .map((text) => {
      const [first, last] = [start, start + (text.split('=', 1)[0] ?? '').length]
      start += text.length + 1
      return { text, isOwn: first < last && !written.some(([begin, end]) => begin < last && end > first) }
    })
}

/**
 * The same for all spellings of a filter, of which a second one would be an alternative to the rule's: for any query
 * parser (`owner`, `%6Fwner`, `owner[]`, `owner[0]`, `[owner]`; where parsers disagree, as in `[[owner]` and `owner]`,
 * what any of them might read), as an operator (`owner_eq`, `owner:eq`), and in another style (`ownerId`, `owner_id`).
 * A field may end in a word that is an operator: `opt_in` may be either.
 */
function namesOf(parameter: string): readonly string[] {
  const name = nameOf(parameter)
  const [, path = '', op = ''] = /^(.+)[_:]([a-zA-Z]+)$/s.exec(name) ?? []
  if (!isOperator(op)) return [name, fieldName(name)]
  return [name, fieldName(name), op === 'eq' ? fieldName(path) : `${fieldName(path)}_${op}`]
}

function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  const [bare = ''] = /[^[\]]+/.exec(name.replace(/%5B/gi, '[').replace(/%5D/gi, ']')) ?? []
  const spaced = bare.replaceAll('+', ' ')
  return attempt(() => decodeURIComponent(spaced)) ?? spaced
}

function fieldName(name: string): string {
  const [, lead = '', rest = name] = /^(_*)(.*)$/s.exec(name) ?? []
  const joined = lead + rest.replace(/[-_]/g, '').toLowerCase()
  // `ids` is an alias of `id`.
  return joined === 'ids' ? 'id' : joined
}

/** The parameters that would win over one of the rule's. */
function winnersOver(parameter: string): readonly string[] {
  const name = nameOf(parameter)
  if (name !== 'filter' && name !== '_filters') return WINNERS[name] ?? []
  return /(?:"|%22)q(?:"|%22)/i.test(parameter) ? ['q', 'filter'] : []
}

const WINNERS: Readonly<Record<string, readonly string[]>> = {
  _limit: ['_end'],
  _start: ['_page'],
  _end: ['_page'],
  _per_page: ['_limit', '_start', '_end'],
  _perPage: ['_limit', '_per_page', '_end'],
  _sortField: ['_sort'],
  sort: ['_sort', '_sortField'],
  range: ['_page', '_limit', '_start', '_end', '_per_page', '_perPage'],
}
