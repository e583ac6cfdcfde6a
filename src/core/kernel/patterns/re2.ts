import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** re2js, which matches in linear time. Loaded lazily: it is large, and few patterns need it. */
export function loadRe2(): typeof import('re2js') {
  return require('re2js')
}

export interface LinearPattern {
  readonly test: (text: string) => boolean
  /** Instructions of the compiled pattern. Each one may be carried out for every character. */
  readonly steps: number
}

/** Bytes for what an expression remembers of its states: a query may have 50 patterns. */
const MOST_MEMORY = 2 ** 20

/** Compiles a case-insensitive pattern of JavaScript. Throws if re2js cannot match it, or has to repeat too much. */
export function compileLinear(pattern: string): LinearPattern {
  const { RE2JS } = loadRe2()
  const expression = RE2JS.compile(RE2JS.translateRegExp(setApart(pattern)), RE2JS.CASE_INSENSITIVE)
  const { dfa } = expression.re2()
  dfa.stateBudget = MOST_MEMORY
  dfa.memBudget = MOST_MEMORY
  return { test: (text) => expression.test(setApart(text)), steps: expression.programSize() }
}

/** The sign for kelvin and the long s are k and s to Unicode, but not to JavaScript. */
function setApart(text: string): string {
  return text.replace(/[\u212a\u017f]/g, (letter) => (letter === '\u212a' ? '\ue000' : '\ue001'))
}

/** The first part of a valid pattern that no engine matches in linear time: `(?=`, `(?<!`, `\1`, `\k`. */
export function lookAroundOf(pattern: string): string | undefined {
  const tokens = pattern.match(/\\.|\(\?<?[=!]/gs) ?? []
  return tokens.find((token) => /^(?:\(|\\[1-9k])/.test(token))
}
