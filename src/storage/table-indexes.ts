import { type Work, workAtOnce, workInSlices } from '../in-slices.ts'
import { Columns } from './columns.ts'
import { EqualityIndex } from './equality-index.ts'
import { compilePath, hasPath, type Path, somePath } from './path.ts'
import { Recent } from './recent.ts'
import { RowOrder } from './row-order.ts'
import { searchText } from './search.ts'
import { SortedIndex } from './sorted-index.ts'
import { toText } from './text.ts'
import { TextIndex } from './text-index.ts'
import type { Row } from './types.ts'

/** The one that was not asked for longest makes room. */
const MOST_TEXTS = 4
/** Names of parameters that are no field cost next to nothing, and there may be many of them. */
const MOST_UNKNOWN = 32
/** A column that did not fit into an index may fit again after so many rows were replaced or removed. */
const PATIENCE = 256

/** What is known about the columns of a table: each index built when first asked for, and kept current by writes. */
export class TableIndexes {
  readonly order: RowOrder
  readonly #equality = new Columns<EqualityIndex>()
  readonly #sorted = new Columns<SortedIndex>()
  readonly #texts = new Recent<TextIndex>(MOST_TEXTS)
  readonly #unknown = new Recent<Path>(MOST_UNKNOWN)
  #changes = 0

  constructor(rows: Row[]) {
    this.order = new RowOrder(rows)
  }

  /** Whether any row has the path, be it with the value null. */
  hasPath(text: string): boolean {
    if (this.#unknown.get(text)) return false
    const index = this.#equality.get(text)
    if (index) return index.hasOwners
    const path = compilePath(text)
    // The rows that are gone have no fields.
    const isKnown = this.order.slots.some((row) => hasPath(row, path))
    if (!isKnown) this.#unknown.set(text, path)
    return isKnown
  }

  /**
   * A promise where it takes a while to make: then it is to be asked for again. Undefined where there can be none.
   * @param slice how long to hold the event loop at a time, in milliseconds
   */
  equality(path: string, slice?: number): EqualityIndex | Promise<void> | undefined {
    return this.#equality.ask(path, () => workInSlices(this.#readEquality(path), slice))
  }

  /** The same, made at once however long it takes. */
  equalityNow(path: string): EqualityIndex | undefined {
    return this.#equality.askNow(path, () => workAtOnce(this.#readEquality(path)))
  }

  /** As `equality`. */
  sorted(path: string, slice?: number): SortedIndex | Promise<void> | undefined {
    const read = () => SortedIndex.of(path, this.order, this.order.slots.slice())
    return this.#sorted.ask(path, () => workInSlices(read(), slice))
  }

  /** The texts at a path, through arrays. */
  texts(text: string): TextIndex {
    const path = compilePath(text)
    return this.#textIndex(`column ${text}`, (row) => textsAt(row, path).join('\n'))
  }

  /** All texts of a row. */
  searchTexts(): TextIndex {
    return this.#textIndex('row', searchText)
  }

  /** To be told when the row stands at the end of the table. */
  noteAddition(row: Row): void {
    this.#insert(this.order.append(row), row)
  }

  /** To be told while the old row still stands there. */
  noteReplacement(position: number, old: Row, next: Row): void {
    const rank = this.order.rankAt(position)
    this.#remove(rank, old)
    this.order.replace(rank, next)
    this.#insert(rank, next)
  }

  /** To be told while the row still stands there. */
  noteRemoval(position: number, row: Row): void {
    this.#remove(this.order.rankAt(position), row)
    this.order.remove(position)
  }

  #readEquality(path: string): Work<EqualityIndex | undefined> {
    return EqualityIndex.of(path, this.order.slots.slice())
  }

  #insert(rank: number, row: Row): void {
    this.#equality.insert(rank, row)
    this.#sorted.insert(rank, row)
    for (const [, index] of this.#texts) index.forget(rank)
    for (const [text, path] of this.#unknown) if (hasPath(row, path)) this.#unknown.delete(text)
  }

  #remove(rank: number, row: Row): void {
    const isTimeToTry = ++this.#changes % PATIENCE === 0
    this.#equality.remove(rank, row, isTimeToTry)
    this.#sorted.remove(rank, row, isTimeToTry)
    for (const [, index] of this.#texts) index.forget(rank)
  }

  #textIndex(key: string, textOf: (row: Row) => string): TextIndex {
    const known = this.#texts.get(key)
    if (known) return known
    const index = new TextIndex(this.order, textOf)
    this.#texts.set(key, index)
    return index
  }
}

function textsAt(row: Row, path: Path): string[] {
  const texts: string[] = []
  somePath(row, path, (value) => {
    texts.push(toText(value))
    return false
  })
  return texts
}
