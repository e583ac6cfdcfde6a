import type { Random } from '../util/random.ts'

/** Sorted whole numbers, and what all differences between them are multiples of. */
export interface Scale {
  readonly values: readonly number[]
  readonly step: number
}

/** A number between two neighbors: so new ones are as dense as those that there are, and within their range. */
export function spread({ values, step }: Scale, random: Random): number {
  const at = random.below(values.length - 1)
  const [low = 0, high = low] = [values[at], values[at + 1]]
  return low + random.below(Math.floor((high - low) / step) + 1) * step
}
