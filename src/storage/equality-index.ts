import { inStretches, type Work } from '../in-slices.ts'
import type { ColumnIndex } from './columns.ts'
import { compilePath, hasPath, type Path, somePath } from './path.ts'
import { GONE, type RowChange } from './row-order.ts'
import type { Row } from './types.ts'

/**
 * Which rows have which text at a path, through arrays too. Lists and objects have no place in it: their texts
 * would take more memory than the rows.
 */
export class EqualityIndex implements ColumnIndex {
  readonly #path: Path
  /** Most texts of most columns stand in one row, which needs no list. */
  readonly #ranks = new Map<string, number | number[]>()
  #owners = 0

  constructor(path: string) {
    this.#path = compilePath(path)
  }

  /** Of the rows by rank. Undefined where the column does not fit into an index. */
  static *of(path: string, slots: readonly Row[]): Work<EqualityIndex | undefined> {
    const index = new EqualityIndex(path)
    let isFit = true
    yield* inStretches(slots.length, (rank) => {
      const row = slots[rank]
      if (row !== undefined && row !== GONE) isFit &&= index.insert(rank, row)
    })
    return isFit ? index : undefined
  }

  /** Whether any row has the path, be it with the value null. */
  get hasOwners(): boolean {
    return this.#owners > 0
  }

  /** The ranks, ascending, of the rows with any of the texts. May be the index's own list: not to be kept. */
  ranksOf(texts: readonly string[]): readonly number[] {
    const [only] = texts
    if (texts.length === 1 && only !== undefined) return toList(this.#ranks.get(only))
    const found = new Set(texts)
    const ranks = [...found].flatMap((text) => toList(this.#ranks.get(text)))
    return [...new Set(ranks)].sort((a, b) => a - b)
  }

  insert(rank: number, row: Row): boolean {
    const texts = this.#textsOf(row)
    if (texts === undefined) return false
    for (const text of texts) this.#add(text, rank)
    if (hasPath(row, this.#path)) this.#owners++
    return true
  }

  remove(rank: number, row: Row): void {
    for (const text of this.#textsOf(row) ?? []) this.#delete(text, rank)
    if (hasPath(row, this.#path)) this.#owners--
  }

  catchUp(changes: readonly RowChange[]): boolean {
    return changes.every(({ kind, rank, row }) => {
      if (kind === 'insert') return this.insert(rank, row)
      this.remove(rank, row)
      return true
    })
  }

  #textsOf(row: Row): readonly string[] | undefined {
    const texts: string[] = []
    const isOpaque = somePath(row, this.#path, (value) => {
      if (typeof value === 'object' || typeof value === 'function') return true
      const text = String(value)
      if (!texts.includes(text)) texts.push(text)
      return texts.length > MOST_TEXTS
    })
    return isOpaque ? undefined : texts
  }

  #add(text: string, rank: number): void {
    const known = this.#ranks.get(text)
    if (known === undefined) this.#ranks.set(text, rank)
    else if (typeof known === 'number') this.#ranks.set(text, known < rank ? [known, rank] : [rank, known])
    else if ((known.at(-1) ?? -1) < rank) known.push(rank)
    else known.splice(placeOf(rank, known), 0, rank)
  }

  #delete(text: string, rank: number): void {
    const known = this.#ranks.get(text)
    if (known === rank) this.#ranks.delete(text)
    if (!Array.isArray(known)) return
    const place = placeOf(rank, known)
    if (known[place] === rank) known.splice(place, 1)
    if (known.length === 0) this.#ranks.delete(text)
  }
}

/** A row with more values than this at one path is no row to be found by a value. */
const MOST_TEXTS = 200

function toList(ranks: number | number[] | undefined): readonly number[] {
  if (ranks === undefined) return []
  return typeof ranks === 'number' ? [ranks] : ranks
}

/** Where the rank stands in the ascending list, or would. */
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
