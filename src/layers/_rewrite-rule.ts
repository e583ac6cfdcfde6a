import { ConfigError } from '../errors.ts'
import { type Capture, compilePattern, type Match, type Pattern } from './_rewrite-pattern.ts'

/** The URL that a rule makes of another; undefined when the rule does not concern it. */
export type Rewrite = (url: string) => string | undefined

/** Makes a rewrite of one line of a routes file, or says in one line what is wrong with it. */
export function compileRule(pattern: string, target: string): Rewrite {
  const left = readPattern(pattern, target)
  const right = readTarget(pattern, target, left.names)
  return function rewrite(url) {
    const match = left.match(url)
    return match && mergeQuery(fill(right, match), match.rest)
  }
}

type Place = 'path' | 'query' | 'parameter'

/** A capture's position, and where it is to stand: a `parameter` is one that fills `?$1` or `&$1` alone. */
interface Slot {
  readonly index: number
  readonly place: Place
}

function readPattern(pattern: string, target: string): Pattern {
  try {
    return compilePattern(pattern)
  } catch (cause) {
    throw fault(
      pattern,
      target,
      'the pattern makes no regular expression; check its groups and brackets',
      cause,
    )
  }
}

function readTarget(pattern: string, target: string, names: Pattern['names']): (string | Slot)[] {
  if (target === '') throw fault(pattern, target, 'the target is empty; write "/" for the home page')
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
    parts.push(target.slice(end, found.index), { index, place: placeOf(target, found.index, next) })
    end = next
  }
  return [...parts, target.slice(end)]
}

function placeOf(target: string, start: number, end: number): Place {
  if (!target.slice(0, start).includes('?')) return 'path'
  const isAlone = /[?&]/.test(target.charAt(start - 1)) && /^(?:&|$)/.test(target.slice(end))
  return isAlone ? 'parameter' : 'query'
}

function fill(parts: readonly (string | Slot)[], { captures }: Match): string {
  const url = parts
    .map((part) => (typeof part === 'string' ? part : write(captures[part.index], part.place)))
    .join('')
  return url.startsWith('/') ? url : `/${url}`
}

/** What the client wrote stays percent-encoded, and cannot become more than the one value it was. */
function write(capture: Capture | undefined, place: Place): string {
  const { value, from } = capture ?? { value: '', from: 'url' }
  if (from === 'path' && place === 'query') return value.replace(/[&=+#]/g, encodeURIComponent)
  if (from === 'query' && place === 'path')
    return value.replace(/\+/g, '%20').replace(/[/?#]/g, encodeURIComponent)
  return value
}

/**
 * The rule's parameters first, then the client's own. One that the rule sets is the rule's alone:
 * a second value would widen the filter that the rule stands for.
 */
function mergeQuery(url: string, rest: readonly string[]): string {
  if (rest.length === 0) return url
  const mark = url.indexOf('?')
  if (mark === -1) return `${url}?${rest.join('&')}`
  const taken = new Set(
    url
      .slice(mark + 1)
      .split('&')
      .map(nameOf),
  )
  return [url, ...rest.filter((parameter) => parameter !== '' && !taken.has(nameOf(parameter)))].join('&')
}

/** `name` for `name=1`, `n%61me=1`, `name[]=1` and `name[0]=1` alike: query parsers fold them together. */
function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  let plain = name.replaceAll('+', ' ')
  try {
    plain = decodeURIComponent(plain)
  } catch {
    // Not valid percent-encoding: query parsers take it as it is.
  }
  return plain.replace(/\[.*$/s, '')
}

function remedy(names: Pattern['names']): string {
  const known = names.map((name, i) => (typeof name === 'string' ? `:${name}` : `$${i + 1}`))
  return known.length === 0 ? 'it captures nothing' : `it has ${known.join(', ')}`
}

function fault(pattern: string, target: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`Rewrite rule "${pattern}": "${target}" cannot work: ${reason}.`, { cause })
}
