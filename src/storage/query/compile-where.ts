import type { Operator } from '../operators.ts'
import type { Condition, Where } from '../types.ts'
import { compileLike } from './like/like.ts'
import { compilePath, type Path, somePath } from './path.ts'
import { between, byBound, equals } from './value/comparisons.ts'
import { overEntries } from './value/entries.ts'
import { compileContains, compileEndsWith, compileStartsWith, fold } from './value/fold.ts'
import { toText } from './value/text.ts'

export type Test = (row: unknown) => boolean

export type Compiled = CompiledCondition | { readonly kind: 'group'; readonly passes: Test }

export interface CompiledCondition extends Condition {
  readonly kind: 'condition'
  readonly passes: Test
}

/** Every one must pass, so a top-level `and` is flattened. @param testOf replaces the usual test of a condition */
export function compileWhere(
  where: readonly Where[],
  testOf: (condition: Condition) => Test = compileCondition,
): Compiled[] {
  return where.flatMap((one) => ('and' in one ? compileWhere(one.and, testOf) : [compile(one, testOf)]))
}

function compile(where: Where, testOf: (condition: Condition) => Test): Compiled {
  if ('path' in where) return { ...where, kind: 'condition', passes: testOf(where) }
  if ('and' in where) {
    const tests = compileWhere(where.and, testOf).map(({ passes }) => passes)
    return { kind: 'group', passes: everyOf(tests) }
  }
  if ('or' in where) {
    const tests = where.or.map((part) => compile(part, testOf).passes)
    return { kind: 'group', passes: someOf(tests) }
  }
  const { passes } = compile(where.not, testOf)
  return { kind: 'group', passes: (row) => !passes(row) }
}

export function everyOf(tests: readonly Test[]): Test {
  const [only] = tests
  if (tests.length === 1 && only) return only
  return (row) => {
    for (const test of tests) if (!test(row)) return false
    return true
  }
}

function someOf(tests: readonly Test[]): Test {
  return (row) => {
    for (const test of tests) if (test(row)) return true
    return false
  }
}

export function compileCondition({ path: text, op, values }: Condition): Test {
  const path = compilePath(text)
  if (op === 'ne') return differs(path, equals(values))
  if (op === 'nin') return differs(path, overEntries(equals(values)))
  if (op === 'null') return isNull(path, values.at(-1) === 'true')
  const test = COMPARISONS[op](values)
  return (row) => somePath(row, path, test)
}

/** json-server 0.17.4's operators treat a list as one text, all others look at its entries. */
const COMPARISONS: Record<Exclude<Operator, 'ne' | 'nin' | 'null'>, (values: readonly string[]) => Test> = {
  eq: equals,
  gte: (values) => byBound(values, 'low', (bound, value) => bound <= value),
  lte: (values) => byBound(values, 'high', (bound, value) => bound >= value),
  like: isLike,
  gt: (values) => overEntries(byBound(values, 'low', (bound, value) => bound < value)),
  lt: (values) => overEntries(byBound(values, 'high', (bound, value) => bound > value)),
  between: (values) => overEntries(between(values)),
  in: (values) => overEntries(equals(values)),
  contains: (values) => overEntries(matchesText(compileContains(values)), equalsFolded(values)),
  startsWith: (values) => overEntries(matchesText(compileStartsWith(values))),
  endsWith: (values) => overEntries(matchesText(compileEndsWith(values))),
}

/** Patterns are compiled when there is a value to match: some take a while. */
function isLike(values: readonly string[]): Test {
  let patterns: readonly ((text: string) => boolean)[] | undefined
  return (value) => {
    patterns ??= values.map(compileLike)
    const text = toText(value)
    for (const matches of patterns) if (matches(text)) return true
    return false
  }
}

function matchesText(matches: (text: string, isFolded?: boolean) => boolean): Test {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? matches(String(value), true)
      : matches(toText(value))
}

/** A list contains its entries, not parts of them. */
function equalsFolded(values: readonly string[]): Test {
  const texts = new Set(values.map(fold))
  const longest = Math.max(0, ...[...texts].map(({ length }) => length))
  return (entry) => {
    if (typeof entry === 'number' && Number.isFinite(entry)) return texts.has(String(entry))
    const text = toText(entry)
    // No letter becomes shorter, and to fold megabytes takes long.
    return text.length <= longest && texts.has(fold(text))
  }
}

/** None of the values may be equal, and there must be one: so `ne` keeps what `eq` leaves out, except null. */
function differs(path: Path, isEqual: Test): Test {
  let isThere = false
  function isEqualAndThere(value: unknown): boolean {
    isThere = true
    return isEqual(value)
  }
  return (row) => {
    isThere = false
    return !somePath(row, path, isEqualAndThere) && isThere
  }
}

function isNull(path: Path, isWanted: boolean): Test {
  return (row) => somePath(row, path, () => true) !== isWanted
}
