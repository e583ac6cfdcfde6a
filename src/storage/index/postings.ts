/** The ranks of the rows with each text, ascending. */
export class Postings {
  /** In most columns most texts occur in a single row, which needs no list. */
  readonly #ranks = new Map<string, number | number[]>()

  /** May be the internal list: do not keep it. */
  of(text: string): readonly number[] {
    const ranks = this.#ranks.get(text)
    if (ranks === undefined) return []
    return typeof ranks === 'number' ? [ranks] : ranks
  }

  add(text: string, rank: number): void {
    const known = this.#ranks.get(text)
    if (known === undefined) this.#ranks.set(text, rank)
    else if (typeof known === 'number') this.#ranks.set(text, known < rank ? [known, rank] : [rank, known])
    else if ((known.at(-1) ?? -1) < rank) known.push(rank)
    else known.splice(placeOf(rank, known), 0, rank)
  }

  delete(text: string, rank: number): void {
    const known = this.#ranks.get(text)
    if (known === rank) this.#ranks.delete(text)
    if (!Array.isArray(known)) return
    const place = placeOf(rank, known)
    if (known[place] === rank) known.splice(place, 1)
    if (known.length === 0) this.#ranks.delete(text)
  }
}

/** The position of the rank in the ascending list, or where to insert it. */
function placeOf(rank: number, ranks: readonly number[]): number {
  let low = 0
  let high = ranks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranks[middle] ?? 0) < rank) low = middle + 1
    else high = middle
  }
  return low
}
