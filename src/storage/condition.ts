import { compileLike } from './like.ts'
import { compilePath, type Path, somePath } from './path.ts'
import { toText } from './text.ts'
import type { Condition, Naming } from './types.ts'

type Test = (value: unknown) => boolean

/** A condition whose path was found among the rows, and the test of a row that it comes to. */
export interface CompiledCondition extends Condition {
  readonly passes: (row: unknown) => boolean
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

function compileTest({ op, values }: Condition, text: string): (row: unknown) => boolean {
  const path = compilePath(text)
  if (op === 'ne') return differs(path, equals(values))
  const test = COMPARISONS[op](values)
  return (row) => somePath(row, path, test)
}

const COMPARISONS = { eq: equals, gte: atLeast, lte: atMost, like: isLike }

/** In a list none may be equal, and one must be there: so that `ne` keeps what `eq` leaves out, but for null. */
function differs(path: Path, isEqual: Test): (row: unknown) => boolean {
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

function equals(values: readonly string[]): Test {
  const texts = new Set(values)
  // A number equals a text that is written as the number would be: 10 equals "10", but neither "10.0" nor "010".
  const numbers = new Set(values.map(Number).filter((number) => texts.has(String(number))))
  const [only] = values
  if (values.length === 1 && only !== undefined) {
    const number = Number(only)
    if (!numbers.has(number) || Number.isNaN(number)) return (value) => toText(value) === only
    return (value) => (typeof value === 'number' ? value === number : toText(value) === only)
  }
  return (value) => (typeof value === 'number' ? numbers.has(value) : texts.has(toText(value)))
}

function atLeast(values: readonly string[]): Test {
  return someBound(
    values,
    (bound, value) => bound <= value,
    (bound, value) => bound <= value,
  )
}

function atMost(values: readonly string[]): Test {
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
): Test {
  const bounds = values.map((text) => ({ text, number: Number(text) }))
  return (value) => {
    if (typeof value === 'number' || isLikeNumber(value)) {
      const number = Number(value)
      for (const bound of bounds) if (numbers(bound.number, number)) return true
      return false
    }
    const text = toText(value)
    for (const bound of bounds) if (texts(bound.text, text)) return true
    return false
  }
}

function isLikeNumber(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Date
}

function isLike(values: readonly string[]): Test {
  const patterns = values.map(compileLike)
  return (value) => {
    const text = toText(value)
    for (const matches of patterns) if (matches(text)) return true
    return false
  }
}
