import pathToRegexp from 'path-to-regexp'
import { loadRe2 } from '../../kernel/patterns/re2.ts'
import { translate } from '../../kernel/patterns/translate.ts'

type Token = pathToRegexp.Token
type Key = pathToRegexp.Key

/** A piece of the client's URL, and the part it came from, which decides how it may be inserted elsewhere. */
export interface Capture {
  readonly value: string
  readonly from: 'path' | 'query' | 'url'
}

export interface Match {
  readonly captures: readonly Capture[]
  readonly rest: readonly string[]
}

export interface Pattern {
  /** The names of the captures: `names[0]` is what `$1` refers to. A wildcard's name is a number. */
  readonly names: readonly (string | number)[]
  readonly match: (url: string) => Match | undefined
}

/** Each one adds to the time of a match, in any engine. */
const MOST = { characters: 1000, parameters: 50, steps: 1000 } as const

/** In words, for messages. */
export const MOST_OF_PATTERN =
  `${MOST.characters} characters, ${MOST.parameters} parameters and ${MOST.steps} steps` as const

export class PatternTooLarge extends Error {
  override readonly name = 'PatternTooLarge'
}

/**
 * Reads a pattern as express-urlrewrite 1.4 does (path-to-regexp 1.x). Unlike it, a pattern that names
 * no query is matched against the path alone, and one that does (`/articles?id=:id`) finds its parameters
 * in any order among others. Throws if the pattern is not a valid regular expression, or too large.
 */
export function compilePattern(source: string): Pattern {
  if (source.length > MOST.characters) throw new PatternTooLarge()
  const tokens = pathToRegexp.parse(source)
  const names = tokens.filter(isKey).map((key) => key.name)
  if (names.length > MOST.parameters) throw new PatternTooLarge()
  if (tokens.some(mayEatQuery)) return { names, match: matchWholeUrl(compile(tokens)) }
  const [path = [], ...query] = split(tokens, '?')
  const matchPath = compile(path)
  const rejoined = query.flatMap((part, at) => (at === 0 ? part : ['?', ...part]))
  const parameters = query.length === 0 ? [] : split(rejoined, '&').map(compile)
  return { names, match: (url) => matchParts(url, matchPath, parameters) }
}

type Matcher = (text: string) => readonly (string | null | undefined)[] | undefined

function matchWholeUrl(match: Matcher): Pattern['match'] {
  return (url) => {
    const groups = match(url)
    return groups && { captures: toCaptures(groups, 'url'), rest: [] }
  }
}

function matchParts(url: string, matchPath: Matcher, parameters: readonly Matcher[]): Match | undefined {
  const mark = url.indexOf('?')
  const groups = matchPath(mark === -1 ? url : url.slice(0, mark))
  if (!groups || (mark === -1 && parameters.length > 0)) return undefined
  const captures = toCaptures(groups, 'path')
  const rest = mark === -1 ? [] : url.slice(mark + 1).split('&')
  for (const matchParameter of parameters) {
    const at = rest.findIndex((parameter) => matchParameter(parameter))
    const matched = matchParameter(rest[at] ?? '')
    if (at === -1 || !matched) return undefined
    captures.push(...toCaptures(matched.slice(1), 'query'))
    rest.splice(at, 1)
  }
  return { captures, rest }
}

function toCaptures(groups: readonly (string | null | undefined)[], from: Capture['from']): Capture[] {
  return groups.map((value) => ({ value: value ?? '', from }))
}

/** V8 runs what it matches in linear time, re2js the rest: no URL can block the server, whatever the rule. */
function compile(tokens: readonly Token[]): Matcher {
  if (!mayBacktrack(tokens)) {
    const regexp = pathToRegexp.tokensToRegExp([...tokens])
    // V8 compiles it now, and not with the first request.
    regexp.test('')
    return (text) => regexp.exec(text) ?? undefined
  }
  const { source } = pathToRegexp.tokensToRegExp(tokens.map(withoutLookahead))
  if (translate(source).steps > MOST.steps) throw new PatternTooLarge()
  const { RE2JS } = loadRe2()
  const linear = RE2JS.compile(source.replace('(?=$)', ''), RE2JS.CASE_INSENSITIVE)
  return (text) => {
    const matcher = linear.matcher(text)
    if (!matcher.matches()) return undefined
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group))
  }
}

function mayBacktrack(tokens: readonly Token[]): boolean {
  const keys = tokens.filter(isKey)
  const touch = tokens.some((token, i) => isKey(token) && token.prefix === '' && isKey(tokens[i - 1]))
  const repeated = keys.filter((key) => key.asterisk || key.repeat).length
  const optional = keys.filter((key) => key.optional).length
  return touch || keys.some(isCustom) || repeated > 1 || optional > FEW_OPTIONAL
}

/** V8 backtracks over which of them are present: 16 ways for four, millions for 27. */
const FEW_OPTIONAL = 4

function isKey(token: Token | undefined): token is Key {
  return typeof token === 'object'
}

/** Whether the rule's author wrote the group, as in `:id(\\d+)`. A written group cannot hold `(?!`. */
function isCustom(key: Key): boolean {
  return !key.asterisk && key.pattern !== anyBut(key.delimiter) && !key.pattern.includes('(?!')
}

/** A group with a literal question mark, such as `/posts(\\?.*)`, is matched against the whole URL, query included. */
function mayEatQuery(token: Token): boolean {
  return isKey(token) && isCustom(token) && /\\\?|\[[^\]]*\?/.test(token.pattern)
}

/** re2js has no look-ahead. Without it, a parameter may match a little more, as in path-to-regexp 1.8. */
function withoutLookahead(token: Token): Token {
  if (!isKey(token) || !token.pattern.includes('(?!')) return token
  return { ...token, pattern: anyBut(token.delimiter) }
}

/** How path-to-regexp compiles a parameter without a custom group. */
function anyBut(delimiter: string): string {
  return `[^\\${delimiter}]+?`
}

function split(tokens: readonly Token[], separator: string): Token[][] {
  const parts: Token[][] = []
  let part: Token[] = []
  for (const token of tokens) {
    const pieces = isKey(token) ? [token] : token.split(separator)
    pieces.forEach((piece, i) => {
      if (i > 0) {
        parts.push(part)
        part = []
      }
      if (piece !== '') part.push(piece)
    })
  }
  return [...parts, part]
}
