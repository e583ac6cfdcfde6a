import type { Operator } from '../operators.ts'
import type { Condition } from '../types.ts'
import { compileLike } from './like/like.ts'
import { compilePath, type Path } from './path.ts'
import { between, byBound, equals } from './value/comparisons.ts'
import { overEntries } from './value/entries.ts'
import { compileContains, compileEndsWith, compileStartsWith, fold } from './value/fold.ts'
import { toText } from './value/text.ts'
import { somePath } from './walk-path.ts'

type Test = (value: unknown) => boolean

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

function matchesText(matches: (text: string) => boolean): Test {
  return (value) => matches(toText(value))
}

/** A list contains its entries, not parts of them. */
function equalsFolded(values: readonly string[]): Test {
  const texts = new Set(values.map(fold))
  const longest = Math.max(0, ...[...texts].map(({ length }) => length))
  return (entry) => {
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
