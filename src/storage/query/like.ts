import { compileBounded } from '../../patterns/bounded-pattern.ts'
import { foldText } from '../../patterns/re2.ts'
import { compileFind } from '../../query/find-text.ts'
import { Lru } from '../../util/lru.ts'

interface Compiled {
  readonly matches: (text: string) => boolean
  readonly needsEngine: boolean
}

/**
 * Compiles a `_like` pattern: a JavaScript regular expression, ignoring case, found anywhere in the text. Takes
 * bounded time: throws `LongText` where that cannot be. Invalid patterns are matched literally.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  return compiled(pattern).matches
}

/** Whether only V8's engine can match the pattern, whatever the text: it is too big, or too slow and not for re2. */
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

/** Thrown for a text that takes too long to match: a thread can do that. Never with a literal. */
export class LongText extends Error {}

function compile(pattern: string): Compiled {
  if (isLiteral(pattern)) return { matches: compileLiteral(pattern), needsEngine: false }
  const { longest, test } = compileBounded(pattern, 'i')
  const matches = (text: string) => {
    if (text.length > longest) throw new LongText('The text is too long for this pattern')
    return test(text)
  }
  return { matches, needsEngine: longest < 0 }
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

/** The native search is the fastest, but its worst case is the product of both lengths. */
const MOST_FOR_REGEXP = 64

/** Tells whether a text contains another one, ignoring case as JavaScript's flag `i` does. */
function compileLiteral(literal: string): (text: string) => boolean {
  if (literal.length > MOST_FOR_REGEXP) {
    const isIn = compileFind(foldText(literal))
    return (text) => isIn(foldText(text))
  }
  const expression = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return (text) => expression.test(text)
}
