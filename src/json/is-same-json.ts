/** Whether two values are the same JSON, in whatever order their keys are. The work is bounded by the smaller value. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b || toScalar(a) === toScalar(b)
  }
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    const isList = Array.isArray(a) && Array.isArray(b) && a.length === b.length
    return isList && a.every((part, at) => isSameJson(part, b[at]))
  }
  const [keys, others] = [keysOf(a), keysOf(b)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}

/** JSON has no number without an end, and nothing that is undefined. */
function toScalar(value: unknown): unknown {
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value
}

function keysOf(value: object): readonly string[] {
  return Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined)
}
