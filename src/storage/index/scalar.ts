/** What a sorted index can order: values of one type, with null and undefined last. */
export type Scalar = number | string | boolean

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
}

export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** Compares scalars of one type; null and then undefined come last. */
export function compareScalars(a: unknown, b: unknown): number {
  if (isMissing(a) || isMissing(b)) return rankOf(a) - rankOf(b)
  const [left, right] = [a as Scalar, b as Scalar]
  if (left < right) return -1
  return left > right ? 1 : 0
}

function rankOf(value: unknown): number {
  if (value === undefined) return 2
  return value === null ? 1 : 0
}
