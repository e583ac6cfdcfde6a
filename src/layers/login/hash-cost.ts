import { isComparable } from './password-check.ts'

/** How long a comparison with a bcrypt hash takes: each step up takes twice as long. Undefined if it is no such hash. */
export function costOf(stored: unknown): number | undefined {
  return typeof stored === 'string' && isComparable(stored) ? Number(stored.slice(4, 6)) : undefined
}

/** The highest cost of some passwords as they are stored; undefined if none of them is a hash. */
export function highestCost(passwords: Iterable<unknown>): number | undefined {
  let highest: number | undefined
  for (const stored of passwords) {
    const cost = costOf(stored)
    if (cost !== undefined && cost > (highest ?? 0)) highest = cost
  }
  return highest
}

/** A hash of this cost that nobody knows the password of. */
export function decoyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$D.QaYL5gQaIDq59YJ5yHC.r18FDPbCCdi6q17RQ1uVWPEZbp/4rFq`
}

/** Hashes that take, together with one of the lower cost, as long as one of the higher: 2^4 + 2^4 + 2^5 is 2^6. */
export function paddingOf(lower: number, higher: number): readonly string[] {
  return Array.from({ length: Math.max(0, higher - lower) }, (_, at) => decoyOf(lower + at))
}
