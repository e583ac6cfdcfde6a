/** What a sorted index can put in order: of one kind at a time, with null and undefined behind. */
export type Scalar = number | string | boolean

export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** Compares scalars of one kind; null and then undefined come last. */
export function compareScalars(a: unknown, b: unknown): number {
  if (isMissing(a) || isMissing(b)) return rankOf(a) - rankOf(b)
  const [left, right] = [a as Scalar, b as Scalar]
  if (left < right) return -1
  return left > right ? 1 : 0
}

/**
 * The ranks in the order of their values, equal ones as they came. Values are counted, and only the different ones
 * are sorted, by JavaScript's own order: a comparison of our own would be called a million times.
 */
export function sortRanks(ranks: readonly number[], values: readonly unknown[]): Uint32Array {
  const places = new Map<unknown, number>()
  for (const value of values) places.set(value, (places.get(value) ?? 0) + 1)
  let next = 0
  for (const value of sortDifferent([...places.keys()])) {
    const size = places.get(value) ?? 0
    places.set(value, next)
    next += size
  }
  const sorted = new Uint32Array(ranks.length)
  for (let at = 0; at < ranks.length; at++) {
    const place = places.get(values[at]) ?? 0
    sorted[place] = ranks[at] ?? 0
    places.set(values[at], place + 1)
  }
  return sorted
}

function sortDifferent(values: readonly unknown[]): Iterable<unknown> {
  const scalars = values.filter((value) => !isMissing(value))
  // Whatever the comparison, sort puts undefined last.
  const missing = values.filter(isMissing).sort()
  const numbers = scalars.filter((value) => typeof value === 'number')
  const sorted = numbers.length > 0 ? Float64Array.from(numbers).sort() : scalars.sort()
  return [...sorted, ...missing]
}

function rankOf(value: unknown): number {
  if (value === undefined) return 2
  return value === null ? 1 : 0
}
