import { EqualityIndex } from './equality-index.ts'
import { compilePath, hasPath, type Path, somePath } from './path.ts'
import { Recent } from './recent.ts'
import { RowOrder } from './row-order.ts'
import { searchText } from './search.ts'
import { SortedIndex } from './sorted-index.ts'
import { toText } from './text.ts'
import { TextIndex } from './text-index.ts'
import type { Row } from './types.ts'

/** Of each kind; the one that was not asked for longest makes room. */
const MOST_COLUMNS = 12
const MOST_TEXTS = 4
/** Names of parameters that are no field cost next to nothing, and there may be many of them. */
const MOST_UNKNOWN = 32
/** A column that did not fit into an index may fit again after so many rows were replaced or removed. */
const PATIENCE = 256

const UNFIT = 'unfit'

/** What is known about the columns of a table: each index built when first asked for, and kept current by writes. */
export class TableIndexes {
  readonly order: RowOrder
  readonly #equality = new Recent<EqualityIndex | typeof UNFIT>(MOST_COLUMNS)
  readonly #sorted = new Recent<SortedIndex | typeof UNFIT>(MOST_COLUMNS)
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
    if (index !== undefined && index !== UNFIT) return index.hasOwners
    const path = compilePath(text)
    // The rows that are gone have no fields.
    const isKnown = this.order.slots.some((row) => hasPath(row, path))
    if (!isKnown) this.#unknown.set(text, path)
    return isKnown
  }

  equality(path: string): EqualityIndex | undefined {
    return lookUp(this.#equality, path, () => EqualityIndex.of(path, this.order))
  }

  sorted(path: string): SortedIndex | undefined {
    return lookUp(this.#sorted, path, () => SortedIndex.of(path, this.order))
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

  #insert(rank: number, row: Row): void {
    for (const columns of [this.#equality, this.#sorted]) {
      for (const [path, index] of columns) {
        if (index !== UNFIT && !index.insert(rank, row)) columns.set(path, UNFIT)
      }
    }
    for (const [, index] of this.#texts) index.forget(rank)
    for (const [text, path] of this.#unknown) if (hasPath(row, path)) this.#unknown.delete(text)
  }

  #remove(rank: number, row: Row): void {
    const isTimeToTry = ++this.#changes % PATIENCE === 0
    for (const columns of [this.#equality, this.#sorted]) {
      for (const [path, index] of columns) {
        if (index !== UNFIT) index.remove(rank, row)
        else if (isTimeToTry) columns.delete(path)
      }
    }
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

function lookUp<Index>(
  columns: Recent<Index | typeof UNFIT>,
  path: string,
  build: () => Index | undefined,
): Index | undefined {
  const known = columns.get(path) ?? build() ?? UNFIT
  if (!columns.has(path)) columns.set(path, known)
  return known === UNFIT ? undefined : known
}

function textsAt(row: Row, path: Path): string[] {
  const texts: string[] = []
  somePath(row, path, (value) => {
    texts.push(toText(value))
    return false
  })
  return texts
}
