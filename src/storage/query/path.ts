import toPath from 'lodash/toPath.js'

/** A field name or dotted path, split once per query instead of once per row. */
export interface Path {
  /** The text as one step: a row may have a field with exactly that name, dots included. */
  readonly whole: Step
  /** Empty if the path is a plain field name. */
  readonly steps: readonly Step[]
}

export interface Step {
  readonly name: string
  /** Every object, array or string inherits a property of this name, which is not data. */
  readonly isInherited: boolean
}

export function compilePath(text: string): Path {
  const names = toPath(text)
  return { whole: toStep(text), steps: names.length === 1 && names[0] === text ? [] : names.map(toStep) }
}

/** The value at a path, like lodash `get`, but ignoring inherited properties. Does not look into arrays. */
export function readPath(row: unknown, path: Path): unknown {
  const literal = stepInto(row, path.whole)
  if (literal !== undefined || path.steps.length === 0) return literal
  let value = row
  for (const step of path.steps) value = stepInto(value, step)
  return value
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

/** An own-property check costs several times a read, so only names in doubt are checked. */
export function stepInto(value: unknown, step: Step): unknown {
  if (!isPresent(value) || (step.isInherited && !hasOwn(value, step.name))) return undefined
  return (value as Record<string, unknown>)[step.name]
}

export function hasOwn(value: unknown, name: string): boolean {
  return isPresent(value) && Object.hasOwn(value, name)
}

export function isPresent(value: unknown): value is NonNullable<unknown> {
  return value !== undefined && value !== null
}
