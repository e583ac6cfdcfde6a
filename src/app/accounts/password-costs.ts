import { costOf } from '../../layers/login/hash-cost.ts'
import type { Engine, MaybePromise } from '../../storage/engine.ts'
import { hiddenValue } from '../../storage/hidden/hidden-fields.ts'
import { isRow } from '../../storage/is-row.ts'
import type { Row } from '../../storage/types.ts'
import { STRETCH, type Work, workInSlices } from '../../work/in-slices.ts'
import { when } from '../../work/when.ts'
import { PASSWORD } from '../config/sign-in.ts'

/** Users that are looked at where there may be more than fit here. */
const MOST_REMOTE = 1000

/** How long the slowest password of a collection takes to check. Only ever grows: a slower check gives nothing away. */
export class PasswordCosts {
  readonly #collection: string
  #highest = 0
  /** Whether all rows of an engine have been looked at. */
  readonly #isCovered = new WeakMap<Engine, () => boolean>()

  constructor(collection: string) {
    this.#collection = collection
  }

  /** Undefined if no password is stored as a hash. */
  of(engine: Engine): MaybePromise<number | undefined> {
    if (this.#isCovered.get(engine)?.()) return this.#highest || undefined
    const window = engine.isRemote
      ? ({ kind: 'limit', count: MOST_REMOTE } as const)
      : ({ kind: 'all' } as const)
    const query = { where: [], sort: [], window, embed: [], expand: [] }
    const reading = engine.read({ kind: 'list', collection: this.#collection, query })
    return when(reading, ({ found, isCurrent }) => {
      const rows = found && ('toArray' in found.rows ? found.rows.toArray() : found.rows)
      return when(workInSlices(this.#lookAt(rows ?? [])), () => {
        if (isCurrent) this.#isCovered.set(engine, isCurrent)
        return this.#highest || undefined
      })
    })
  }

  /** Takes a password into account, as it is stored. */
  note(stored: unknown): void {
    this.#highest = Math.max(this.#highest, costOf(stored) ?? 0)
  }

  *#lookAt(rows: readonly Row[]): Work<void> {
    for (const [at, row] of rows.entries()) {
      if (at % STRETCH === STRETCH - 1) yield
      if (isRow(row)) this.note(hiddenValue(row, PASSWORD))
    }
  }
}
