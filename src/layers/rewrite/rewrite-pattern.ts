import { createRequire } from 'node:module'
import pathToRegexp from 'path-to-regexp'

/** The linear engine is large, and few rules need it: loaded when the first one does. */
const require = createRequire(import.meta.url)

type Token = pathToRegexp.Token
type Key = pathToRegexp.Key

/** A piece of the client's URL, and which part of the URL it came from: that decides how it may be put elsewhere. */
export interface Capture {
  readonly value: string
  readonly from: 'path' | 'query' | 'url'
}

export interface Match {
  /** By position, as `$1` counts them; the first is all that was matched. */
  readonly captures: readonly Capture[]
  /** The client's parameters that the pattern did not ask for, as they were written. */
  readonly rest: readonly string[]
}

/** The left side of a rewrite rule, ready to be held against URLs. */
export interface Pattern {
  /** What the captures are called: `names[0]` is what `$1` means. A wildcard's name is a number. */
  readonly names: readonly (string | number)[]
  readonly match: (url: string) => Match | undefined
}

/** The time for a match grows with each of them, in whatever engine. */
export const MOST_PARAMETERS = 50

export class TooManyParameters extends Error {
  override readonly name = 'TooManyParameters'
}

/**
 * Reads a pattern as express-urlrewrite 1.4 does (path-to-regexp 1.x). Unlike it, a pattern that names
 * no query is held against the path alone, and one that does (`/articles?id=:id`) finds its parameters
 * in any order among others. Throws when the pattern makes no regular expression, or has too many parameters.
 */
export function compilePattern(source: string): Pattern {
  const tokens = pathToRegexp.parse(source)
  const names = tokens.filter(isKey).map((key) => key.name)
  if (names.length > MOST_PARAMETERS) throw new TooManyParameters()
  if (tokens.some(mayEatQuery)) return { names, match: matchWholeUrl(compile(tokens)) }
  const [path = [], ...query] = split(tokens, '?')
  const matchPath = compile(path)
  const parameters = query.length === 0 ? [] : split(rejoin(query, '?'), '&').map(compile)
  return { names, match: (url) => matchParts(url, matchPath, parameters) }
}

/** The groups of a match, the whole first; undefined when there is none. */
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
    const found = matchParameter(rest[at] ?? '')
    if (at === -1 || !found) return undefined
    captures.push(...toCaptures(found.slice(1), 'query'))
    rest.splice(at, 1)
  }
  return { captures, rest }
}

function toCaptures(groups: readonly (string | null | undefined)[], from: Capture['from']): Capture[] {
  return groups.map((value) => ({ value: value ?? '', from }))
}

/**
 * V8 runs the patterns that it runs in linear time; the others go to re2js, which always does,
 * so that no URL can keep the server busy, whatever the rule.
 */
function compile(tokens: readonly Token[]): Matcher {
  if (!mayBacktrack(tokens)) {
    const regexp = pathToRegexp.tokensToRegExp([...tokens])
    return (text) => regexp.exec(text) ?? undefined
  }
  const { source } = pathToRegexp.tokensToRegExp(tokens.map(withoutLookahead))
  const { RE2JS }: typeof import('re2js') = require('re2js')
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

/** V8 tries out which of them are there: with four in 16 ways, with 27 in millions. */
const FEW_OPTIONAL = 4

function isKey(token: Token | undefined): token is Key {
  return typeof token === 'object'
}

/** Whether the rule's author wrote the group, as in `:id(\\d+)`. A written group cannot hold `(?!`. */
function isCustom(key: Key): boolean {
  return !key.asterisk && key.pattern !== anyBut(key.delimiter) && !key.pattern.includes('(?!')
}

/** A group that spells out a question mark, as `/posts(\\?.*)`, wants the whole URL, query and all. */
function mayEatQuery(token: Token): boolean {
  return isKey(token) && isCustom(token) && /\\\?|\[[^\]]*\?/.test(token.pattern)
}

/** re2js knows no look-ahead. Without it a parameter may take a little more, as in path-to-regexp 1.8. */
function withoutLookahead(token: Token): Token {
  if (!isKey(token) || !token.pattern.includes('(?!')) return token
  return { ...token, pattern: anyBut(token.delimiter) }
}

/** How path-to-regexp writes a parameter without a group of its own. */
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

function rejoin(parts: readonly Token[][], separator: string): Token[] {
  return parts.flatMap((part, i) => (i === 0 ? part : [separator, ...part]))
}
