import { Lru } from '../../lru.ts'
import type { Row } from '../types.ts'
import type { RowChange } from './row-order.ts'

/** Per kind; the least recently used one is evicted. */
export const MOST_COLUMNS = 12

/** What is known about one column of a table, kept current by writes. */
export interface ColumnIndex {
  /** False if the row does not fit, and the index must be dropped. */
  insert(rank: number, row: Row): boolean
  remove(rank: number, row: Row): void
  /** Applies the changes made while it was being built. False if it must be dropped. */
  catchUp(changes: readonly RowChange[]): boolean
}

/** An index being built while rows change. */
interface Unfinished {
  readonly changes: RowChange[]
  readonly ready: Promise<void>
}

const UNFIT = 'unfit'

/** A table's indexes of one kind, by path: each is ready, being built, or known not to fit. */
export class Columns<Kind extends ColumnIndex> {
  readonly #known = new Lru<string, Kind | Unfinished | typeof UNFIT>({ limit: MOST_COLUMNS })

  /** The index, if it is ready. */
  get(path: string): Kind | undefined {
    const known = this.#known.get(path)
    return known === undefined || known === UNFIT || 'ready' in known ? undefined : known
  }

  /** A promise if it takes a while to build: then ask again. Undefined if the column cannot be indexed. */
  ask(
    path: string,
    make: () => Kind | undefined | Promise<Kind | undefined>,
  ): Kind | Promise<void> | undefined {
    const known = this.#known.get(path)
    if (known === UNFIT) return undefined
    if (known !== undefined) return 'ready' in known ? known.ready : known
    const index = make()
    if (index instanceof Promise) return this.#finishLater(path, index)
    this.#known.set(path, index ?? UNFIT)
    return index
  }

  /** Number of indexes to update on a change. */
  get count(): number {
    return this.#known.size
  }

  insert(rank: number, row: Row): void {
    for (const [path, index] of this.#known) {
      if (index === UNFIT) continue
      if ('ready' in index) index.changes.push({ kind: 'insert', rank, row })
      else if (!index.insert(rank, row)) this.#known.set(path, UNFIT)
    }
  }

  /** @param isTimeToTry whether columns that did not fit may be tried again */
  remove(rank: number, row: Row, isTimeToTry: boolean): void {
    for (const [path, index] of this.#known) {
      if (index === UNFIT) {
        if (isTimeToTry) this.#known.delete(path)
      } else if ('ready' in index) index.changes.push({ kind: 'remove', rank, row })
      else index.remove(rank, row)
    }
  }

  /** Changes until then are recorded, and applied once the index is built. */
  #finishLater(path: string, coming: Promise<Kind | undefined>): Promise<void> {
    const changes: RowChange[] = []
    // It may have been evicted.
    const isWanted = () => this.#known.get(path) === unfinished
    const ready = coming
      .then((index) => {
        if (isWanted()) this.#known.set(path, index?.catchUp(changes) ? index : UNFIT)
      })
      .catch((fault: unknown) => {
        if (isWanted()) this.#known.delete(path)
        throw fault
      })
    // Waiting requests get the error; there may be none left.
    ready.catch(() => undefined)
    const unfinished = { changes, ready }
    this.#known.set(path, unfinished)
    return ready
  }
}
