import { compileRe2, type Flags } from './re2.ts'
import { translate } from './translate.ts'

/** A JavaScript regular expression that takes no more than some ten milliseconds for a text. */
export interface BoundedPattern {
  /** How long a text may be; negative if none is short enough. */
  readonly longest: number
  readonly test: (text: string) => boolean
}

/** Larger patterns may take too long to compile. */
export const MOST_CHARACTERS = 1000
export const MOST_STEPS = 160

/** Steps that V8 may take for a text: some tens of microseconds. */
const MOST_FOR_V8 = 2 ** 16

/** Steps of the pattern times characters of a text, for re2js: up to 25 ms, and a query may have 50 patterns. */
const MOST_FOR_RE2 = MOST_STEPS * 1024

/**
 * V8 matches the texts for which backtracking cannot take long: for `(a+)+$`, it may take years. re2js, which never
 * backtracks, matches those up to `longest`; it has no lookaround and no backreferences.
 */
export function compileBounded(pattern: string, flags: Flags): BoundedPattern {
  if (pattern.length > MOST_CHARACTERS) return UNBOUNDED
  const { source, isForRe2, steps, work } = translate(pattern, flags)
  if (steps > MOST_STEPS) return UNBOUNDED
  const { factor, degree } = work
  const isEndless = degree === Number.POSITIVE_INFINITY
  const longestForV8 = isEndless ? -1 : Math.floor((MOST_FOR_V8 / factor) ** (1 / Math.max(degree, 1))) - 1
  const longestForRe2 = isForRe2 ? MOST_FOR_RE2 / (steps + 1) : -1
  const expression = new RegExp(pattern, flags)
  let testLong: ((text: string) => boolean) | undefined
  return {
    longest: Math.max(longestForV8, longestForRe2),
    test: (text) => {
      if (text.length <= longestForV8) return expression.test(text)
      testLong ??= compileRe2(source, flags)
      return testLong(text)
    },
  }
}

const UNBOUNDED: BoundedPattern = { longest: -1, test: () => false }
