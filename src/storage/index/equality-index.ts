import { inStretches, type Work } from '../../work/in-slices.ts'
import { isKey, keyOf } from '../query/key-of.ts'
import { compilePath, type Path } from '../query/path.ts'
import { isPlainList } from '../query/value/entries.ts'
import { hasPath, somePath } from '../query/walk-path.ts'
import { TOMBSTONE } from '../tombstone.ts'
import type { Row } from '../types.ts'
import type { ColumnIndex } from './columns.ts'
import { Postings } from './postings.ts'
import type { RowChange } from './row-order.ts'

/**
 * Which rows have which text at a path, through arrays too: either the text of an array as a whole or, for operators
 * that look inside, of its entries. A row with too many values is recorded only as crowded: it may have any text.
 */
export class EqualityIndex implements ColumnIndex {
  readonly #path: Path
  readonly #ranks = new Postings()
  readonly #crowded = new Set<number>()
  readonly isOfEntries: boolean
  #owners = 0
  #lists = 0

  constructor(path: string, isOfEntries = false) {
    this.#path = compilePath(path)
    this.isOfEntries = isOfEntries
  }

  /** Builds the index of rows by rank. */
  static *of(path: string, slots: readonly Row[], isOfEntries = false): Work<EqualityIndex> {
    const index = new EqualityIndex(path, isOfEntries)
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

  /** Whether any value is an array: if not, the index by entries is the same. */
  get hasLists(): boolean {
    return this.#lists > 0 || this.#crowded.size > 0
  }

  /** Number of crowded rows, which must be tested whatever the query asks for. */
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
    if (texts.length === 1 && only !== undefined && this.#crowded.size === 0) return this.#ranks.of(only)
    const ranks = new Set(this.#crowded)
    for (const text of texts) for (const rank of this.#ranks.of(text)) ranks.add(rank)
    return Array.from(Uint32Array.from(ranks).sort())
  }

  insert(rank: number, row: Row): boolean {
    const { texts, lists } = this.#textsOf(row)
    if (texts) for (const text of texts) this.#ranks.add(text, rank)
    else this.#crowded.add(rank)
    this.#lists += lists
    if (hasPath(row, this.#path) === true) this.#owners++
    return true
  }

  remove(rank: number, row: Row): void {
    const { texts, lists } = this.#textsOf(row)
    for (const text of texts ?? []) this.#ranks.delete(text, rank)
    this.#crowded.delete(rank)
    this.#lists -= lists
    if (hasPath(row, this.#path) === true) this.#owners--
  }

  catchUp(changes: readonly RowChange[]): boolean {
    for (const { kind, rank, row } of changes) this[kind](rank, row)
    return true
  }

  /** The texts, undefined if there are too many, and how many of the values are arrays. */
  #textsOf(row: Row): { texts: readonly string[] | undefined; lists: number } {
    const texts: string[] = []
    let lists = 0
    const add = (value: unknown): boolean => {
      const text = keyOf(value)
      if (text !== undefined && !texts.includes(text)) texts.push(text)
      return texts.length > MOST_TEXTS
    }
    const isCrowded = somePath(row, this.#path, (value) => {
      if (!Array.isArray(value)) return add(value)
      lists++
      if (!this.isOfEntries) return add(value)
      if (value.length > MOST_TEXTS) return true
      return isPlainList(value) ? value.some((entry) => entry !== null && add(entry)) : add(value)
    })
    return { texts: isCrowded === false ? texts : undefined, lists }
  }
}

/** A row with more values than this at one path counts as crowded. */
const MOST_TEXTS = 200
