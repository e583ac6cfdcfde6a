import { createRequire } from 'node:module'
import { foldText } from './letter-case.ts'
import { type Flags, splitPairs } from './re2-chars.ts'

const require = createRequire(import.meta.url)

/** re2js, which matches in linear time. Loaded lazily: it is large, and few patterns need it. */
export function loadRe2(): typeof import('re2js') {
  return require('re2js')
}

export function re2Path(): string {
  return require.resolve('re2js')
}

/** Bytes for what an expression remembers of its states: a query may have 50 patterns. */
const MOST_MEMORY = 2 ** 20

export function compileRe2(source: string, flags: Flags): (text: string) => boolean {
  const expression = loadRe2().RE2JS.compile(source)
  const { dfa } = expression.re2()
  dfa.stateBudget = MOST_MEMORY
  dfa.memBudget = MOST_MEMORY
  const toInput = RE2_INPUTS[flags]
  return (text) => expression.test(toInput(text))
}

export const RE2_INPUTS: Readonly<Record<Flags, (text: string) => string>> = {
  i: (text) => splitPairs(foldText(text)),
  u: (text) => text,
  '': splitPairs,
}
