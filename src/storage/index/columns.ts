import { Lru } from '../../lru.ts'
import type { Row } from '../types.ts'
import type { RowChange } from './row-order.ts'

/** Of each kind; the one that was not asked for longest makes room. */
export const MOST_COLUMNS = 12

/** What is known about one column of a table, kept current by writes. */
export interface ColumnIndex {
  /** False when the row does not fit in, and the index is of no use any more. */
  insert(rank: number, row: Row): boolean
  remove(rank: number, row: Row): void
  /** Does what happened to the rows while it was made. False when it is of no use any more. */
  catchUp(changes: readonly RowChange[]): boolean
}

/** An index that is being made while rows change. */
interface Unfinished {
  readonly changes: RowChange[]
  readonly ready: Promise<void>
}

const UNFIT = 'unfit'

/** The indexes of one kind that a table has, by path: each there, or being made, or known not to fit. */
export class Columns<Kind extends ColumnIndex> {
  readonly #known = new Lru<string, Kind | Unfinished | typeof UNFIT>({ limit: MOST_COLUMNS })

  /** The index, if it is there. */
  get(path: string): Kind | undefined {
    const known = this.#known.get(path)
    return known === undefined || known === UNFIT || 'ready' in known ? undefined : known
  }

  /** A promise where it takes a while to make: then it is to be asked for again. Undefined where there can be none. */
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

  /** How many there are to be told of a change. */
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

  /** @param isTimeToTry whether what did not fit may fit again */
  remove(rank: number, row: Row, isTimeToTry: boolean): void {
    for (const [path, index] of this.#known) {
      if (index === UNFIT) {
        if (isTimeToTry) this.#known.delete(path)
      } else if ('ready' in index) index.changes.push({ kind: 'remove', rank, row })
      else index.remove(rank, row)
    }
  }

  /** What happens to the rows until then is noted down, and done to the index when it is there. */
  #finishLater(path: string, coming: Promise<Kind | undefined>): Promise<void> {
    const changes: RowChange[] = []
    // Others may have made room for theirs.
    const isWanted = () => this.#known.get(path) === unfinished
    const ready = coming
      .then((index) => {
        if (isWanted()) this.#known.set(path, index?.catchUp(changes) ? index : UNFIT)
      })
      .catch((fault: unknown) => {
        if (isWanted()) this.#known.delete(path)
        throw fault
      })
    // Whoever waits hears of a fault; there may be nobody any more.
    ready.catch(() => undefined)
    const unfinished = { changes, ready }
    this.#known.set(path, unfinished)
    return ready
  }
}
