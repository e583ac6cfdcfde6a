import type { Order } from './tree.ts'

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
export const byKey: Order = (key, rank, otherKey, otherRank) => compareKeys(key, otherKey) || rank - otherRank

/** Orders entries by rank alone. */
export const byRank: Order = (_item, rank, _other, otherRank) => rank - otherRank

function compareKeys(one: unknown, other: unknown): number {
  const [left, right] = [one as number, other as number]
  if (typeof one === typeof other && (typeof one === 'number' || typeof one === 'string')) {
    if (left < right) return -1
    return left > right ? 1 : 0
  }
  return regionOf(one) - regionOf(other) || Number(one) - Number(other) || 0
}

/** Keys of one type are together. */
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
