import { Lru } from '../../../lru.ts'
import type { Verdict } from '../../../work/in-slices.ts'
import { toGraph, weigh } from './graph.ts'
import { compileLiteral } from './literal.ts'
import { compileMatcher } from './matcher.ts'
import { parsePattern } from './parse-pattern.ts'

/** What is longer, or needs more steps when counted repeats are written out, is left to JavaScript's own engine. */
export const MOST_CHARACTERS = 1000
export const MOST_STEPS = 160

interface Compiled {
  readonly matches: (text: string) => Verdict
  readonly needsEngine: boolean
}

/**
 * Compiles a `_like` pattern: a regular expression of JavaScript, case ignored, found anywhere in the text.
 * Never throws and never takes longer than the text is long, times a constant: JavaScript's own engine may need
 * years for `(a+)+$`. A long text is work to be done in slices. What does not compile is matched literally. For
 * patterns that need the engine this is no answer.
 */
export function compileLike(pattern: string): (text: string) => Verdict {
  return compiled(pattern).matches
}

/** Whether the pattern looks around, refers back or is too big: only JavaScript's own engine can match it. */
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

function compile(pattern: string): Compiled {
  const isPlain = !/[\\^$.*+?()[\]{}|]/.test(pattern)
  if (isPlain || !isRegExp(pattern)) return { matches: compileLiteral(pattern), needsEngine: false }
  const parsed = pattern.length > MOST_CHARACTERS ? undefined : parsePattern(pattern)
  if (parsed === undefined || weigh(parsed) > MOST_STEPS) {
    return { matches: compileLiteral(pattern), needsEngine: true }
  }
  return { matches: compileMatcher(toGraph(parsed)), needsEngine: false }
}

/** Only parses: JavaScript compiles an expression when it is first used. */
function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern, 'i')
    return true
  } catch {
    return false
  }
}
