import { EqualityIndex } from './equality-index.ts'
import { type Work, workAtOnce, workInSlices } from './in-slices.ts'
import { compilePath, hasPath, type Path, somePath } from './path.ts'
import { Recent } from './recent.ts'
import { type RowChange, RowOrder } from './row-order.ts'
import { searchText } from './search.ts'
import { SortedIndex } from './sorted-index.ts'
import { toText } from './text.ts'
import { TextIndex } from './text-index.ts'
import type { Row } from './types.ts'

/** Of each kind; the one that was not asked for longest makes room. */
export const MOST_COLUMNS = 12
const MOST_TEXTS = 4
/** Names of parameters that are no field cost next to nothing, and there may be many of them. */
const MOST_UNKNOWN = 32
/** A column that did not fit into an index may fit again after so many rows were replaced or removed. */
const PATIENCE = 256

const UNFIT = 'unfit'

interface Index {
  insert(rank: number, row: Row): boolean
  remove(rank: number, row: Row): void
  catchUp(changes: readonly RowChange[]): boolean
}

/** An index that is being made, while rows change. */
interface Unfinished {
  readonly changes: RowChange[]
  readonly ready: Promise<void>
}

/** By path. */
type Columns<Kind extends Index> = Recent<Kind | Unfinished | typeof UNFIT>

/** What is known about the columns of a table: each index built when first asked for, and kept current by writes. */
export class TableIndexes {
  readonly order: RowOrder
  readonly #equality: Columns<EqualityIndex> = new Recent(MOST_COLUMNS)
  readonly #sorted: Columns<SortedIndex> = new Recent(MOST_COLUMNS)
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
    if (index instanceof EqualityIndex) return index.hasOwners
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
    return lookUp(this.#equality, path, () => workInSlices(this.#readEquality(path), slice))
  }

  /** The same, made at once however long it takes. */
  equalityNow(path: string): EqualityIndex | undefined {
    const known = this.#equality.get(path)
    if (known instanceof EqualityIndex) return known
    if (known === UNFIT) return undefined
    const index = workAtOnce(this.#readEquality(path))
    this.#equality.set(path, index ?? UNFIT)
    return index
  }

  /** As `equality`. */
  sorted(path: string, slice?: number): SortedIndex | Promise<void> | undefined {
    const read = () => SortedIndex.of(path, this.order, this.order.slots.slice())
    return lookUp(this.#sorted, path, () => workInSlices(read(), slice))
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
    for (const columns of [this.#equality, this.#sorted]) {
      for (const [path, index] of columns) {
        if (index === UNFIT) continue
        if ('ready' in index) index.changes.push({ kind: 'insert', rank, row })
        else if (!index.insert(rank, row)) columns.set(path, UNFIT)
      }
    }
    for (const [, index] of this.#texts) index.forget(rank)
    for (const [text, path] of this.#unknown) if (hasPath(row, path)) this.#unknown.delete(text)
  }

  #remove(rank: number, row: Row): void {
    const isTimeToTry = ++this.#changes % PATIENCE === 0
    for (const columns of [this.#equality, this.#sorted]) {
      for (const [path, index] of columns) {
        if (index === UNFIT) {
          if (isTimeToTry) columns.delete(path)
        } else if ('ready' in index) index.changes.push({ kind: 'remove', rank, row })
        else index.remove(rank, row)
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

function lookUp<Kind extends Index>(
  columns: Columns<Kind>,
  path: string,
  make: () => Kind | undefined | Promise<Kind | undefined>,
): Kind | Promise<void> | undefined {
  const known = columns.get(path)
  if (known === UNFIT) return undefined
  if (known !== undefined) return 'ready' in known ? known.ready : known
  const index = make()
  if (index instanceof Promise) return finishLater(columns, path, index)
  columns.set(path, index ?? UNFIT)
  return index
}

/** What happens to the rows until then is noted down, and done to the index when it is there. */
function finishLater<Kind extends Index>(
  columns: Columns<Kind>,
  path: string,
  coming: Promise<Kind | undefined>,
): Promise<void> {
  const changes: RowChange[] = []
  // Others may have made it at once, or made room for theirs.
  const isWanted = () => columns.get(path) === unfinished
  const ready = coming
    .then((index) => {
      if (isWanted()) columns.set(path, index?.catchUp(changes) ? index : UNFIT)
    })
    .catch((fault: unknown) => {
      if (isWanted()) columns.delete(path)
      throw fault
    })
  // Whoever waits hears of a fault; there may be nobody any more.
  ready.catch(() => undefined)
  const unfinished = { changes, ready }
  columns.set(path, unfinished)
  return ready
}

function textsAt(row: Row, path: Path): string[] {
  const texts: string[] = []
  somePath(row, path, (value) => {
    texts.push(toText(value))
    return false
  })
  return texts
}
