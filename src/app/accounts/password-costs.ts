import { costOf } from '../../layers/login/is-password.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { hiddenValue } from '../../storage/hidden/hidden-fields.ts'
import { isRow } from '../../storage/is-row.ts'
import { Pace } from '../../work/pace.ts'
import { PASSWORD } from '../config/sign-in.ts'

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
  async of(engine: Engine): Promise<number | undefined> {
    if (this.#isCovered.get(engine)?.()) return this.#highest || undefined
    const query = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] } as const
    const { found, isCurrent } = await engine.read({ kind: 'list', collection: this.#collection, query })
    const rows = found && ('toArray' in found.rows ? found.rows.toArray() : found.rows)
    const pace = new Pace()
    for (const row of rows ?? []) {
      if (isRow(row)) this.note(hiddenValue(row, PASSWORD))
      if (pace.isDue) await pace.turn()
    }
    this.#isCovered.set(engine, isCurrent)
    return this.#highest || undefined
  }

  /** Takes a password into account, as it is stored. */
  note(stored: unknown): void {
    this.#highest = Math.max(this.#highest, costOf(stored) ?? 0)
  }
}
