import { Lru } from '../../lru.ts'
import { type Work, workInSlices } from '../../work/in-slices.ts'
import { compilePath, type Path } from '../query/path.ts'
import { someHas } from '../query/query.ts'
import { searchText } from '../query/search.ts'
import { startOfText } from '../query/value/text.ts'
import { hasPath, somePath } from '../query/walk-path.ts'
import type { KeyColumn, Row } from '../types.ts'
import { Columns } from './columns.ts'
import { EqualityIndex } from './equality-index.ts'
import { KeyListIndex } from './key-list-index.ts'
import { KeyedIndex } from './keyed-index.ts'
import { RowOrder } from './row-order.ts'
import { SortedIndex } from './sorted-index.ts'
import { TextIndex, type TextOf } from './text-index.ts'

/** The least recently used one is evicted. */
const MOST_TEXTS = 4
/** Parameters that are not fields cost next to nothing to remember, and there may be many. */
const MOST_UNKNOWN = 32
/** A column that could not be indexed is tried again after this many rows were replaced or removed. */
const PATIENCE = 256

/** The indexes of a table's columns, built on first use and kept current by writes. */
export class TableIndexes {
  readonly order: RowOrder
  readonly #equality = new Columns<EqualityIndex>()
  readonly #entries = new Columns<EqualityIndex>()
  readonly #sorted = new Columns<SortedIndex>()
  readonly #folded = new Columns<SortedIndex>()
  readonly #keyLists = new Columns<KeyListIndex>()
  readonly #keyed = new Columns<KeyedIndex>()
  readonly #kinds = [
    ...[this.#equality, this.#entries, this.#sorted],
    ...[this.#folded, this.#keyLists, this.#keyed],
  ]
  readonly #texts = new Lru<string, TextIndex>({ limit: MOST_TEXTS })
  readonly #unknown = new Lru<string, Path>({ limit: MOST_UNKNOWN })
  #changes = 0
  #inserts = 0

  constructor(rows: Row[]) {
    this.order = new RowOrder(rows)
  }

  /** Number of column indexes to keep current. */
  get columns(): number {
    return this.#kinds.reduce((sum, { count }) => sum + count, 0)
  }

  /** Whether any row has the path, even if its value is null. */
  *hasPath(text: string): Work<boolean> {
    if (this.#unknown.get(text)) return false
    const index = this.#equality.get(text)
    if (index?.hasOwners !== undefined) return index.hasOwners
    const inserts = this.#inserts
    // Tombstones have no fields.
    const isKnown = yield* someHas(this.order.slots, text)
    if (!isKnown && inserts === this.#inserts) this.#unknown.set(text, compilePath(text))
    return isKnown
  }

  /**
   * A promise if it takes a while to build: then ask again.
   * @param slice how long to hold the event loop at a time, in milliseconds
   */
  equality(path: string, slice?: number): EqualityIndex | Promise<void> | undefined {
    const read = () => EqualityIndex.of(path, this.order.slots.slice())
    return this.#equality.ask(path, () => workInSlices(read(), slice))
  }

  /** Like `equality`, by each id in an array of foreign keys. */
  keyLists(field: string, slice?: number): KeyListIndex | Promise<void> | undefined {
    const read = () => KeyListIndex.of(field, this.order.slots.slice())
    return this.#keyLists.ask(field, () => workInSlices(read(), slice))
  }

  /** Like `equality`, by keys that are computed. */
  keyed(column: KeyColumn, slice?: number): KeyedIndex | Promise<void> | undefined {
    const read = () => KeyedIndex.of(column, this.order.slots.slice())
    return this.#keyed.ask(column.name, () => workInSlices(read(), slice))
  }

  /** Like `equality`. */
  sorted(path: string, slice?: number): SortedIndex | Promise<void> | undefined {
    const read = () => SortedIndex.of(path, this.order, this.order.slots.slice())
    return this.#sorted.ask(path, () => workInSlices(read(), slice))
  }

  /** By the entries of arrays; the same index as `equality` if the column has none. */
  entries(path: string, slice?: number): EqualityIndex | Promise<void> | undefined {
    const index = this.equality(path, slice)
    if (!(index instanceof EqualityIndex) || !index.hasLists) return index
    const read = () => EqualityIndex.of(path, this.order.slots.slice(), true)
    return this.#entries.ask(path, () => workInSlices(read(), slice))
  }

  /** By the text of the values, ignoring case. */
  folded(path: string, slice?: number): SortedIndex | Promise<void> | undefined {
    const read = () => SortedIndex.of(path, this.order, this.order.slots.slice(), true)
    return this.#folded.ask(path, () => workInSlices(read(), slice))
  }

  /** The texts at a path, through arrays. */
  texts(text: string): TextIndex {
    const path = compilePath(text)
    return this.#textIndex(`column ${text}`, (row, most) => textsAt(row, path, most))
  }

  /** All texts of a row. */
  searchTexts(): TextIndex {
    return this.#textIndex('row', searchText)
  }

  /** Call after the row was appended to the table. */
  noteAddition(row: Row): void {
    this.#insert(this.order.append(row), row)
  }

  /** Call before the row is replaced. */
  noteReplacement(position: number, old: Row, next: Row): void {
    const rank = this.order.rankAt(position)
    this.#remove(rank, old)
    this.order.replace(rank, next)
    this.#insert(rank, next)
  }

  /** Call before the row is removed. */
  noteRemoval(position: number, row: Row): void {
    this.#remove(this.order.rankAt(position), row)
    this.order.remove(position)
  }

  #insert(rank: number, row: Row): void {
    this.#inserts++
    for (const kind of this.#kinds) kind.insert(rank, row)
    for (const [, index] of this.#texts) index.forget(rank)
    for (const [text, path] of this.#unknown) if (hasPath(row, path) !== false) this.#unknown.delete(text)
  }

  #remove(rank: number, row: Row): void {
    const isTimeToTry = ++this.#changes % PATIENCE === 0
    for (const kind of this.#kinds) kind.remove(rank, row, isTimeToTry)
    for (const [, index] of this.#texts) index.forget(rank)
  }

  #textIndex(key: string, textOf: TextOf): TextIndex {
    const known = this.#texts.get(key)
    if (known) return known
    const index = new TextIndex(this.order, textOf)
    this.#texts.set(key, index)
    return index
  }
}

/** One line per value; undefined if they have more than `most` characters. */
function textsAt(row: Row, path: Path, most: number): string | undefined {
  const texts: string[] = []
  let size = 0
  const isLong = somePath(row, path, (value) => {
    const text = startOfText(value, most)
    texts.push(text)
    size += text.length + 1
    return size > most
  })
  return isLong === false ? texts.join('\n') : undefined
}
