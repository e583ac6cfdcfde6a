import toPath from 'lodash/toPath.js'

/** A field name or dotted path, split once per query instead of once per row. */
export interface FieldPath {
  /** A row may have a field with exactly this name, dots included. */
  readonly whole: Step
  /** Empty if the path is a plain field name. */
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  /** Objects, arrays or strings inherit a property of this name, which is not data. */
  readonly isInherited: boolean
}

export function compilePath(text: string): FieldPath {
  return { whole: toStep(text), steps: /[.[\]]/.test(text) ? toPath(text).map(toStep) : [] }
}

/** Like lodash `get`, without inherited properties. Does not enter arrays. */
export function readPath(row: unknown, path: FieldPath): unknown {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return literal
  let value = row
  for (const step of path.steps) value = stepInto(value, step)
  return value
}

function toStep(name: string): Step {
  let isInherited = false
  for (const prototype of PROTOTYPES) isInherited ||= name in prototype
  return { name, isInherited }
}

const PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  Date.prototype,
]

/** An own-property check costs several times a read, so only names in doubt are checked. */
export function stepInto(value: unknown, step: Step): unknown {
  if (value === undefined || value === null || (step.isInherited && !hasOwn(value, step.name)))
    return undefined
  return (value as Record<string, unknown>)[step.name]
}

function hasOwn(value: unknown, name: string): boolean {
  return isPresent(value) && Object.hasOwn(value, name)
}

function isPresent(value: unknown): value is NonNullable<unknown> {
  return value !== undefined && value !== null
}

type Test = (value: unknown) => boolean

/** Whether any value passes. Enters arrays; null and undefined never pass. */
export function somePath(row: unknown, path: FieldPath, test: Test): boolean {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return isPresent(literal) && test(literal)
  return !Array.isArray(row) && walk(row, path.steps, 0, test, 0)
}

export function hasPath(row: unknown, path: FieldPath): boolean {
  if (hasOwn(row, path.whole.name)) return true
  return path.steps.length > 0 && !Array.isArray(row) && walk(row, path.steps, 0, undefined, 0)
}

/** Deeper arrays would overflow the stack. */
const MAX_NESTING = 500

/** @param test of the values at the end; without it, any value passes */
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
      // Skips scalars: most entries of a long list.
      for (const item of value) {
        if (typeof item === 'object' && walk(item, steps, at, test, nesting + 1)) return true
      }
      return false
    }
    value = next
  }
  return test === undefined || (isPresent(value) && test(value))
}

/** Like lodash, enters strings, but not inside arrays, which lodash does not enter. */
function isOpen(value: unknown, nesting: number): boolean {
  return nesting === 0 ? isPresent(value) : typeof value === 'object' && value !== null
}
