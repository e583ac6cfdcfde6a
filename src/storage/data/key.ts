/** What an index is ordered by. Numbers come first, then strings, booleans, null, undefined and marks. */
export type Key = number | string | boolean | null | undefined | Mark

/** Says something of a row instead of being one of its values. */
export class Mark {
  readonly order: number

  constructor(order: number) {
    this.order = order
  }
}

/** Orders entries by key, and those with the same key by rank. */
export function byKey(key: unknown, rank: number, otherKey: unknown, otherRank: number): number {
  if (typeof key === typeof otherKey && (typeof key === 'number' || typeof key === 'string')) {
    const [left, right] = [key as number, otherKey as number]
    if (left < right) return -1
    return left > right ? 1 : rank - otherRank
  }
  return regionOf(key) - regionOf(otherKey) || Number(key) - Number(otherKey) || rank - otherRank
}

export function byRank(_item: unknown, rank: number, _other: unknown, otherRank: number): number {
  return rank - otherRank
}

function regionOf(key: unknown): number {
  switch (typeof key) {
    case 'number':
      return 0
    case 'string':
      return 1
    case 'boolean':
      return 2
    case 'undefined':
      return 4
    default:
      return key instanceof Mark ? 5 + key.order : 3
  }
}
