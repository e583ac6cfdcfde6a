import { settle, type Verdict, type Work } from '../../work/in-slices.ts'
import { hasOwn, isPresent, type Path, type Step, stepInto } from './path.ts'

type Test = (value: unknown) => Verdict

/**
 * Whether any value at the path passes the test. The path goes through arrays; null and undefined never pass. Where
 * that takes long, or the test does, it is work to be done.
 */
export function somePath(row: unknown, path: Path, test: Test): Verdict {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return isPresent(literal) && test(literal)
  return !Array.isArray(row) && walk(row, path.steps, test)
}

/** Whether the row has the path, be it with the value null; work to be done where that takes long. */
export function hasPath(row: unknown, path: Path): Verdict {
  if (hasOwn(row, path.whole.name)) return true
  return path.steps.length > 0 && !Array.isArray(row) && walk(row, path.steps, undefined)
}

/** Lists in lists beyond this are no data that anyone meant, and following them would overflow the stack. */
const MAX_NESTING = 500

/** So many items of lists are looked at in one go. */
const MOST_ITEMS = 1000

/** How many items may still be looked at. */
let left = 0

/** @param test of what stands at the end of the steps; without one it is enough that something does */
function walk(row: unknown, steps: readonly Step[], test: Test | undefined): Verdict {
  left = MOST_ITEMS
  return walkAtOnce(row, steps, 0, test, 0) ?? walkInSlices(row, steps, 0, test, 0)
}

/** Undefined where there are too many items, or the test takes long. */
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
 * Whether a step leads on from the value. As with lodash it does from a string, to its letters; but on the way through
 * a list, which lodash does not take, only from objects and lists.
 */
function isOpen(value: unknown, nesting: number): boolean {
  return nesting === 0 ? isPresent(value) : typeof value === 'object' && value !== null
}
