import { ConfigError } from '../catalogue/error-classes.ts'
import type { RewrittenParts } from '../http/request-context.ts'
import {
  type Capture,
  compilePattern,
  type Match,
  MOST_PARAMETERS,
  type Pattern,
  TooManyParameters,
} from './rewrite-pattern.ts'
import { type Filled, mergeQuery } from './rewrite-query.ts'

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

type Place = 'path' | 'query' | 'parameter'

/** A capture's position, and where it goes: a `parameter` is one that fills `?$1` or `&$1` alone. */
interface Slot {
  readonly index: number
  readonly place: Place
}

function readPattern(pattern: string, target: string): Pattern {
  try {
    return compilePattern(pattern)
  } catch (cause) {
    const reason =
      cause instanceof TooManyParameters
        ? `the pattern has more than ${MOST_PARAMETERS} parameters; split it into several rules`
        : 'the pattern is not a valid regular expression; check its groups and brackets'
    throw fault(pattern, target, reason, cause)
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
function write(capture: Capture | undefined, place: Place): string {
  const { value, from } = capture ?? { value: '', from: 'url' }
  if (from === 'path' && place === 'query') return value.replace(/[&=+]/g, encodeURIComponent)
  if (from === 'query' && place === 'path')
    return value.replace(/\+/g, '%20').replace(/[/?]/g, encodeURIComponent)
  return value
}

function remedy(names: Pattern['names']): string {
  const known = names.map((name, i) => (typeof name === 'string' ? `:${name}` : `$${i + 1}`))
  return known.length === 0 ? 'it captures nothing' : `it has ${known.join(', ')}`
}

function fault(pattern: string, target: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`Rewrite rule "${pattern}": "${target}" cannot work: ${reason}.`, { cause })
}
