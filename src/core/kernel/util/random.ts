/** Random numbers by a seed: the same on every machine, since all arithmetic is of 32-bit integers (sfc32). */
export class Random {
  #a = 0
  #b = 0
  #c = 0
  #count = 1

  constructor(seed: string) {
    let hash = 0x811c9dc5
    for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
    this.#a = hash
    this.#b = Math.imul(hash ^ 0x9e3779b9, 0x85ebca6b)
    this.#c = Math.imul(hash ^ 0x7f4a7c15, 0xc2b2ae35) ^ seed.length
    // Seeds that differ little make sequences that differ little at first.
    for (let times = 0; times < 15; times++) this.#bits()
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    return ((this.#bits() >>> 5) * 0x4000000 + (this.#bits() >>> 6)) / 0x20000000000000
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  #bits(): number {
    const sum = (this.#a + this.#b + this.#count++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum
  }
}
