/** A growable list of ranks in four bytes each. */
export class RankList {
  #ranks: Uint32Array
  #length: number

  constructor(ranks: Uint32Array) {
    this.#ranks = ranks
    this.#length = ranks.length
  }

  get length(): number {
    return this.#length
  }

  at(place: number): number {
    return this.#ranks[place] ?? -1
  }

  slice(start: number, end: number): Uint32Array {
    return this.#ranks.slice(start, Math.min(end, this.#length))
  }

  insert(place: number, rank: number): void {
    if (this.#length === this.#ranks.length) {
      const grown = new Uint32Array(Math.ceil(this.#length * 1.1) + 64)
      grown.set(this.#ranks)
      this.#ranks = grown
    }
    this.#ranks.copyWithin(place + 1, place, this.#length)
    this.#ranks[place] = rank
    this.#length++
  }

  remove(place: number): void {
    this.#ranks.copyWithin(place, place + 1, this.#length)
    this.#length--
  }
}
