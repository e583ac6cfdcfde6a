import { Lru } from '../../../lru.ts'
import { toGraph, weigh } from './graph.ts'
import { compileLiteral } from './literal.ts'
import { compileMatcher } from './matcher.ts'
import { parsePattern } from './parse-pattern.ts'

/** Patterns that are longer, or need more steps with counted repeats unrolled, are left to V8's engine. */
export const MOST_CHARACTERS = 1000
export const MOST_STEPS = 160

interface Compiled {
  readonly matches: (text: string) => boolean
  readonly needsEngine: boolean
}

/**
 * Compiles a `_like` pattern: a JavaScript regular expression, ignoring case, found anywhere in the text.
 * Never throws, and takes linear time: V8's engine may need
 * years for `(a+)+$`. Invalid patterns are matched literally. Not for
 * patterns that need V8's engine.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  return compiled(pattern).matches
}

/** Whether the pattern has lookaround or backreferences, or is too big: only V8's engine can match it. */
export function needsEngine(pattern: string): boolean {
  return compiled(pattern).needsEngine
}

const recent = new Lru<string, Compiled>({ limit: 20 })

function compiled(pattern: string): Compiled {
  const known = recent.get(pattern)
  if (known) return known
  const made = compile(pattern)
  recent.set(pattern, made)
  return made
}

/** Whether a pattern only matches its own text: it has no special characters, or is invalid. */
export function isLiteral(pattern: string): boolean {
  return !/[\\^$.*+?()[\]{}|]/.test(pattern) || !isRegExp(pattern)
}

function compile(pattern: string): Compiled {
  if (isLiteral(pattern)) return { matches: compileLiteral(pattern), needsEngine: false }
  const parsed = pattern.length > MOST_CHARACTERS ? undefined : parsePattern(pattern)
  if (parsed === undefined || weigh(parsed) > MOST_STEPS) {
    return { matches: compileLiteral(pattern), needsEngine: true }
  }
  const matches = compileMatcher(toGraph(parsed))
  return { matches: (text) => matches(checkLength(text)), needsEngine: false }
}

/** Thrown for a text that takes too long to match with anything but a literal: a thread can do that. */
export class LongText extends Error {}

/** Even in the worst case, these take some ten milliseconds. */
const MOST_TEXT = 65_536

function checkLength(text: string): string {
  if (text.length > MOST_TEXT) throw new LongText('The text is too long for this pattern')
  return text
}

/** Only parses: V8 compiles a regular expression on first use. */
function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern, 'i')
    return true
  } catch {
    return false
  }
}
