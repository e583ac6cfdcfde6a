import { settle, type Verdict, type Work } from '../../work/in-slices.ts'
import { hasOwn, isPresent, type Path, type Step, stepInto } from './path.ts'

type Test = (value: unknown) => Verdict

/**
 * Whether any value at the path passes the test. The path looks into arrays; null and undefined never pass. If
 * that takes long, or the test does, returns work to be done in slices.
 */
export function somePath(row: unknown, path: Path, test: Test): Verdict {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return isPresent(literal) && test(literal)
  return !Array.isArray(row) && walk(row, path.steps, test)
}

/** Whether the row has the path, even if its value is null; returns work if that takes long. */
export function hasPath(row: unknown, path: Path): Verdict {
  if (hasOwn(row, path.whole.name)) return true
  return path.steps.length > 0 && !Array.isArray(row) && walk(row, path.steps, undefined)
}

/** No sane data nests arrays deeper than this, and following them would overflow the stack. */
const MAX_NESTING = 500

/** Array items tested in one go. */
const MOST_ITEMS = 1000

/** Number of items left to test in one go. */
let left = 0

/** @param test for the values at the end of the steps; without it, any value there passes */
function walk(row: unknown, steps: readonly Step[], test: Test | undefined): Verdict {
  left = MOST_ITEMS
  return walkAtOnce(row, steps, 0, test, 0) ?? walkInSlices(row, steps, 0, test, 0)
}

/** Undefined if there are too many items, or the test takes long. */
function walkAtOnce(
  from: unknown,
  steps: readonly Step[],
  start: number,
  test: Test | undefined,
  nesting: number,
): boolean | undefined {
  let value = from
  for (let at = start; at < steps.length; at++) {
    const step = steps[at]
    if (step === undefined || !isOpen(value, nesting)) return false
    const next = stepInto(value, step)
    if (test ? next === undefined : !hasOwn(value, step.name)) {
      if (!Array.isArray(value) || nesting === MAX_NESTING) return false
      left -= value.length
      if (left < 0) return undefined
      for (let place = 0; place < value.length; place++) {
        const verdict = walkAtOnce(value[place], steps, at, test, nesting + 1)
        if (verdict !== false) return verdict
      }
      return false
    }
    value = next
  }
  const verdict = test === undefined || (isPresent(value) && test(value))
  return typeof verdict === 'boolean' ? verdict : undefined
}

/** The same for any number of items. */
function* walkInSlices(
  from: unknown,
  steps: readonly Step[],
  start: number,
  test: Test | undefined,
  nesting: number,
): Work<boolean> {
  let value = from
  for (let at = start; at < steps.length; at++) {
    const step = steps[at]
    if (step === undefined || !isOpen(value, nesting)) return false
    const next = stepInto(value, step)
    if (test ? next === undefined : !hasOwn(value, step.name)) {
      if (!Array.isArray(value) || nesting === MAX_NESTING) return false
      return yield* walkItems(value, steps, at, test, nesting + 1)
    }
    value = next
  }
  return yield* settle(test === undefined || (isPresent(value) && test(value)))
}

function* walkItems(
  items: readonly unknown[],
  steps: readonly Step[],
  at: number,
  test: Test | undefined,
  nesting: number,
): Work<boolean> {
  let seen = 0
  for (let place = 0; place < items.length; place++) {
    left = MOST_ITEMS
    const verdict = walkAtOnce(items[place], steps, at, test, nesting)
    seen += 1 + MOST_ITEMS - Math.max(left, 0)
    if (verdict ?? (yield* walkInSlices(items[place], steps, at, test, nesting))) return true
    if (seen < MOST_ITEMS) continue
    seen = 0
    yield
  }
  return false
}

/**
 * Whether a step can go into the value. As with lodash, it can go into a string, to its characters; but inside
 * an array, which lodash does not enter, only into objects and arrays.
 */
function isOpen(value: unknown, nesting: number): boolean {
  return nesting === 0 ? isPresent(value) : typeof value === 'object' && value !== null
}
