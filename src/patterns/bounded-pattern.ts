import { compileRe2 } from './re2.ts'
import type { Flags } from './re2-chars.ts'
import { toRe2 } from './to-re2.ts'

/** A JavaScript regular expression that takes no more than some ten milliseconds for a text. */
export interface BoundedPattern {
  /** How long a text may be. */
  readonly longest: number
  readonly test: (text: string) => boolean
}

/** Patterns with more are not bounded. */
export const MOST_CHARACTERS = 1000
export const MOST_STEPS = 160

/** Steps that V8 may take for a text: some tens of microseconds. Above, it may take years. */
const MOST_FOR_V8 = 2 ** 16

/** Steps times characters for re2js, which looks at each character once. */
const MOST_FOR_RE2 = 160 * 4096

/**
 * V8 matches the texts for which it takes few steps, however it goes back and forth; re2js, which never goes back,
 * those up to `longest`. Undefined if the pattern is too large, or has lookaround, backreferences or what hardly
 * anybody writes.
 */
export function compileBounded(pattern: string, flags: Flags): BoundedPattern | undefined {
  const re2 = pattern.length > MOST_CHARACTERS ? undefined : toRe2(pattern, flags, MOST_STEPS)
  if (!re2) return undefined
  const { source, steps, paths, degree } = re2
  const expression = new RegExp(pattern, flags)
  const tooLongForV8 =
    degree < Number.POSITIVE_INFINITY
      ? Math.floor((MOST_FOR_V8 / (paths * (steps + 1))) ** (1 / Math.max(degree, 1)))
      : 0
  let testLong: ((text: string) => boolean) | undefined
  return {
    longest: Math.max(tooLongForV8 - 1, MOST_FOR_RE2 / (steps + 1)),
    test: (text) => {
      if (text.length < tooLongForV8) return expression.test(text)
      testLong ??= compileRe2(source, flags)
      return testLong(text)
    },
  }
}
