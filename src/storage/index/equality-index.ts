import { inStretches, type Work } from '../../work/in-slices.ts'
import { isKey, keyOf } from '../query/key-of.ts'
import { compilePath, type Path } from '../query/path.ts'
import { hasPath, somePath } from '../query/walk-path.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import type { RowChange } from './row-order.ts'

/**
 * Which rows have which text at a path, including through arrays. A row with too many values there is only recorded as
 * crowded: it may have any text.
 */
export class EqualityIndex implements ColumnIndex {
  readonly #path: Path
  /** Most texts of most columns occur in a single row, which needs no list. */
  readonly #ranks = new Map<string, number | number[]>()
  readonly #crowded = new Set<number>()
  #owners = 0

  constructor(path: string) {
    this.#path = compilePath(path)
  }

  /** Builds an index of the rows by rank. */
  static *of(path: string, slots: readonly Row[]): Work<EqualityIndex> {
    const index = new EqualityIndex(path)
    yield* inStretches(slots.length, (rank) => {
      const row = slots[rank]
      if (row !== undefined && row !== TOMBSTONE) index.insert(rank, row)
    })
    return index
  }

  /** Whether any row has the path, even if its value is null; undefined if only the rows can tell. */
  get hasOwners(): boolean | undefined {
    if (this.#owners > 0) return true
    return this.#crowded.size > 0 ? undefined : false
  }

  /** Number of crowded rows, which must always be tested. */
  get crowded(): number {
    return this.#crowded.size
  }

  /**
   * The ranks, ascending, of the rows with any of the texts, and of crowded rows; undefined if a text is
   * too long to be indexed. May be the index's own list: do not keep it.
   */
  ranksOf(texts: readonly string[]): readonly number[] | undefined {
    if (!texts.every(isKey)) return undefined
    const [only] = texts
    if (texts.length === 1 && only !== undefined && this.#crowded.size === 0)
      return toList(this.#ranks.get(only))
    const ranks = new Set(this.#crowded)
    for (const text of texts) for (const rank of toList(this.#ranks.get(text))) ranks.add(rank)
    return Array.from(Uint32Array.from(ranks).sort())
  }

  insert(rank: number, row: Row): boolean {
    const texts = this.#textsOf(row)
    if (texts) for (const text of texts) this.#add(text, rank)
    else this.#crowded.add(rank)
    if (hasPath(row, this.#path) === true) this.#owners++
    return true
  }

  remove(rank: number, row: Row): void {
    for (const text of this.#textsOf(row) ?? []) this.#delete(text, rank)
    this.#crowded.delete(rank)
    if (hasPath(row, this.#path) === true) this.#owners--
  }

  catchUp(changes: readonly RowChange[]): boolean {
    for (const { kind, rank, row } of changes) this[kind](rank, row)
    return true
  }

  /** Undefined if there are too many. */
  #textsOf(row: Row): readonly string[] | undefined {
    const texts: string[] = []
    const isCrowded = somePath(row, this.#path, (value) => {
      const text = keyOf(value)
      if (text !== undefined && !texts.includes(text)) texts.push(text)
      return texts.length > MOST_TEXTS
    })
    return isCrowded === false ? texts : undefined
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

/** A row with more values than this at one path counts as crowded. */
const MOST_TEXTS = 200

function toList(ranks: number | number[] | undefined): readonly number[] {
  if (ranks === undefined) return []
  return typeof ranks === 'number' ? [ranks] : ranks
}

/** The position of the rank in the ascending list, or where it would be inserted. */
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
