import { SEED } from '../length.ts'

/** Seeded random numbers, so that failures can be reproduced (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = SEED + seed
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0]
  }
}
