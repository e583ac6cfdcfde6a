import { settle, type Verdict, type Work } from '../../work/in-slices.ts'
import type { Condition, Naming } from '../types.ts'
import { compileLike } from './like/like.ts'
import { compilePath, type Path } from './path.ts'
import { isLongList, longText, startOfText, toText } from './text.ts'
import { somePath } from './walk-path.ts'

/** A condition whose path was found among the rows, and the test of a row that it comes to. */
export interface CompiledCondition extends Condition {
  readonly passes: (row: unknown) => Verdict
}

/**
 * Turns conditions into tests of a row, each path split and each comparison chosen once.
 * An `eq` on a path that no row has is left out, unless it is required.
 * @param isKnown whether any row has a path
 */
export function compileConditions(
  conditions: readonly Condition[],
  isKnown: (path: string) => boolean,
  naming: Naming,
): CompiledCondition[] {
  const compiled: CompiledCondition[] = []
  for (const condition of conditions) {
    const path = resolvePath(condition, isKnown, naming)
    if (path !== undefined) compiled.push({ ...condition, path, passes: compileTest(condition, path) })
  }
  return compiled
}

function resolvePath({ path, op, required }: Condition, isKnown: (path: string) => boolean, naming: Naming) {
  if (op !== 'eq' || required || isKnown(path)) return path
  // Some clients ask for several rows by `ids`.
  return path === 'ids' && isKnown(naming.id) ? naming.id : undefined
}

function compileTest({ op, values }: Condition, text: string): (row: unknown) => Verdict {
  const path = compilePath(text)
  if (op === 'ne') return differs(path, equals(values))
  const test = COMPARISONS[op](values)
  return (row) => somePath(row, path, test)
}

const COMPARISONS = { eq: equals, gte: atLeast, lte: atMost, like: isLike }

/** In a list none may be equal, and one must be there: so that `ne` keeps what `eq` leaves out, but for null. */
function differs(path: Path, isEqual: (value: unknown) => boolean): (row: unknown) => Verdict {
  let isThere = false
  function isEqualAndThere(value: unknown): boolean {
    isThere = true
    return isEqual(value)
  }
  function* later(verdict: Work<boolean>): Work<boolean> {
    return !(yield* verdict) && isThere
  }
  return (row) => {
    isThere = false
    const verdict = somePath(row, path, isEqualAndThere)
    return typeof verdict === 'boolean' ? !verdict && isThere : later(verdict)
  }
}

function equals(values: readonly string[]): (value: unknown) => boolean {
  const texts = new Set(values)
  const longest = longestOf(values)
  // A number equals a text that is written as the number would be: 10 equals "10", but neither "10.0" nor "010".
  const numbers = new Set(values.map(Number).filter((number) => texts.has(String(number))))
  const [only] = values
  if (values.length === 1 && only !== undefined) {
    const number = Number(only)
    if (!numbers.has(number) || Number.isNaN(number)) return (value) => startOfText(value, longest) === only
    return (value) => (typeof value === 'number' ? value === number : startOfText(value, longest) === only)
  }
  return (value) => (typeof value === 'number' ? numbers.has(value) : texts.has(startOfText(value, longest)))
}

function longestOf(values: readonly string[]): number {
  return values.reduce((longest, { length }) => Math.max(longest, length), 0)
}

function atLeast(values: readonly string[]): (value: unknown) => boolean {
  return someBound(
    values,
    (bound, value) => bound <= value,
    (bound, value) => bound <= value,
  )
}

function atMost(values: readonly string[]): (value: unknown) => boolean {
  return someBound(
    values,
    (bound, value) => bound >= value,
    (bound, value) => bound >= value,
  )
}

/** As JavaScript compares a text with any value: as numbers where the value is one, else letter by letter. */
function someBound(
  values: readonly string[],
  numbers: (bound: number, value: number) => boolean,
  texts: (bound: string, value: string) => boolean,
): (value: unknown) => boolean {
  const longest = longestOf(values)
  const bounds = values.map((text) => ({ text, number: Number(text) }))
  return (value) => {
    if (typeof value === 'number' || isLikeNumber(value)) {
      const number = Number(value)
      for (const bound of bounds) if (numbers(bound.number, number)) return true
      return false
    }
    const text = startOfText(value, longest)
    for (const bound of bounds) if (texts(bound.text, text)) return true
    return false
  }
}

function isLikeNumber(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Date
}

/** Patterns are compiled and tried when the first value is there to be matched, one by one: for some that takes a while. */
function isLike(values: readonly string[]): (value: unknown) => Verdict {
  let patterns: readonly Matches[] | undefined

  function* compileAndMatch(value: unknown): Work<boolean> {
    const compiled: Matches[] = []
    let isFound = false
    for (const pattern of values) {
      const matches = compileLike(pattern)
      compiled.push(matches)
      yield
      if (yield* settle(matchValue(value, [matches]))) isFound = true
      yield
    }
    patterns = compiled
    return isFound
  }
  return (value) => (patterns ? matchValue(value, patterns) : compileAndMatch(value))
}

type Matches = (text: string) => Verdict

function matchValue(value: unknown, patterns: readonly Matches[]): Verdict {
  return isLongList(value) ? matchList(value, patterns) : matchText(toText(value), patterns)
}

function* matchList(list: readonly unknown[], patterns: readonly Matches[]): Work<boolean> {
  return yield* settle(matchText(yield* longText(list), patterns))
}

function matchText(text: string, patterns: readonly Matches[]): Verdict {
  const late: Work<boolean>[] = []
  for (const matches of patterns) {
    const verdict = matches(text)
    if (verdict === true) return true
    if (verdict !== false) late.push(verdict)
  }
  return late.length > 0 && anyLater(late)
}

function* anyLater(works: readonly Work<boolean>[]): Work<boolean> {
  for (const work of works) if (yield* work) return true
  return false
}
