import { hasOwn, isPresent, type Path, type Step, stepInto } from './path.ts'

type Test = (value: unknown) => boolean

/** Whether any value at the path passes the test. The path looks into arrays; null and undefined never pass. */
export function somePath(row: unknown, path: Path, test: Test): boolean {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return isPresent(literal) && test(literal)
  return !Array.isArray(row) && walk(row, path.steps, 0, test, 0)
}

export function hasPath(row: unknown, path: Path): boolean {
  if (hasOwn(row, path.whole.name)) return true
  return path.steps.length > 0 && !Array.isArray(row) && walk(row, path.steps, 0, undefined, 0)
}

/** No sane data nests arrays deeper than this, and following them would overflow the stack. */
const MAX_NESTING = 500

/** @param test for the values at the end of the steps; without it, any value there passes */
function walk(
  from: unknown,
  steps: readonly Step[],
  start: number,
  test: Test | undefined,
  nesting: number,
): boolean {
  let value = from
  for (let at = start; at < steps.length; at++) {
    const step = steps[at]
    if (step === undefined || !isOpen(value, nesting)) return false
    const next = stepInto(value, step)
    if (test ? next === undefined : !hasOwn(value, step.name)) {
      if (!Array.isArray(value) || nesting === MAX_NESTING) return false
      for (const item of value) if (walk(item, steps, at, test, nesting + 1)) return true
      return false
    }
    value = next
  }
  return test === undefined || (isPresent(value) && test(value))
}

/** Like lodash, into the characters of a string; but inside an array, which lodash does not enter, not. */
function isOpen(value: unknown, nesting: number): boolean {
  return nesting === 0 ? isPresent(value) : typeof value === 'object' && value !== null
}
