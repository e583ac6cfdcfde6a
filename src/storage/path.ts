import toPath from 'lodash/toPath.js'

/** A field name or dotted path, split once per query instead of once per row. */
export interface Path {
  /** The text as one step: a row may have a field of just that name, dots and all. */
  readonly whole: Step
  /** Empty where the path is a plain field name. */
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  /** Every object, list or text inherits something of this name, which is no data. */
  readonly isInherited: boolean
}

/** Splits `a.b` and `a[0].b`. */
export function compilePath(text: string): Path {
  const names = toPath(text)
  return { whole: toStep(text), steps: names.length === 1 && names[0] === text ? [] : names.map(toStep) }
}

/** The value at a path, as lodash `get` finds it, but for what is inherited. Does not go through arrays. */
export function readPath(row: unknown, path: Path): unknown {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return literal
  let value = row
  for (const step of path.steps) value = stepInto(value, step)
  return value
}

/** Whether any value at the path passes the test. The path goes through arrays; null and undefined never pass. */
export function somePath(row: unknown, path: Path, test: (value: unknown) => boolean): boolean {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return isPresent(literal) && test(literal)
  return !Array.isArray(row) && someFrom(row, path.steps, 0, test, 0)
}

/** Whether the row has the path, be it with the value null. */
export function hasPath(row: unknown, path: Path): boolean {
  if (hasOwn(row, path.whole.name)) return true
  return path.steps.length > 0 && !Array.isArray(row) && hasFrom(row, path.steps, 0, 0)
}

/** Lists in lists beyond this are no data that anyone meant, and following them would overflow the stack. */
const MAX_NESTING = 500

function someFrom(
  from: unknown,
  steps: readonly Step[],
  start: number,
  test: (value: unknown) => boolean,
  nesting: number,
): boolean {
  let value = from
  for (let at = start; at < steps.length; at += 1) {
    const step = steps[at]
    if (step === undefined || !isPresent(value)) return false
    const next = stepInto(value, step)
    if (next === undefined && Array.isArray(value)) {
      if (nesting === MAX_NESTING) return false
      for (const item of value) if (someFrom(item, steps, at, test, nesting + 1)) return true
      return false
    }
    value = next
  }
  return isPresent(value) && test(value)
}

function hasFrom(from: unknown, steps: readonly Step[], start: number, nesting: number): boolean {
  let value = from
  for (let at = start; at < steps.length; at += 1) {
    const step = steps[at]
    if (step === undefined) return false
    if (!hasOwn(value, step.name)) {
      if (!Array.isArray(value) || nesting === MAX_NESTING) return false
      return value.some((item) => hasFrom(item, steps, at, nesting + 1))
    }
    value = stepInto(value, step)
  }
  return true
}

function toStep(name: string): Step {
  return { name, isInherited: PROTOTYPES.some((prototype) => name in prototype) }
}

const PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  Date.prototype,
]

/** Asking whether a property is an object's own costs several times its reading, so only names in doubt ask. */
function stepInto(value: unknown, step: Step): unknown {
  if (!isPresent(value) || (step.isInherited && !hasOwn(value, step.name))) return undefined
  return (value as Record<string, unknown>)[step.name]
}

function hasOwn(value: unknown, name: string): boolean {
  return isPresent(value) && Object.hasOwn(value, name)
}

function isPresent(value: unknown): value is NonNullable<unknown> {
  return value !== undefined && value !== null
}
