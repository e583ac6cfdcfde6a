import type { Change, WriteOptions } from '../../core/engine/change.ts'
import type { EngineAccess } from '../../core/engine/engine.ts'
import { readRows } from '../../core/engine/read-rows.ts'
import type { Row } from '../../core/engine/types.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'

export type Insert = Change<'insert'>

interface Added {
  readonly rows: Row[]
  /** Whether all ids are known. */
  hasIds: boolean
  /** Whether a client chose some of the ids. */
  hasSentIds: boolean
}

/** The rows that one commit is to add, by collection: parents come first. */
export class Additions {
  readonly #engine: EngineAccess
  readonly #write: WriteOptions
  readonly #added = new Map<string, Added>()
  readonly #stored = new Map<string, readonly Row[]>()

  constructor(engine: EngineAccess, write: WriteOptions) {
    this.#engine = engine
    this.#write = write
  }

  /** Stored rows, and those added. */
  async rowsOf(name: string): Promise<readonly Row[]> {
    const stored = this.#stored.get(name) ?? (await readRows(this.#engine, name))?.filter(isObject) ?? []
    this.#stored.set(name, stored)
    const added = this.#added.get(name)
    return added ? [...stored, ...added.rows] : stored
  }

  /** Returns the position of the first among those that are added. */
  append(name: string, rows: readonly Row[], ids: Pick<Added, 'hasIds' | 'hasSentIds'>): number {
    const added = getOrMake(this.#added, name, () => ({ rows: [], hasIds: true, hasSentIds: false }))
    const start = added.rows.length
    for (const row of rows) added.rows.push(row)
    added.hasIds &&= ids.hasIds
    added.hasSentIds ||= ids.hasSentIds
    return start
  }

  /** The ids of all rows. */
  async idsIn(name: string): Promise<readonly unknown[]> {
    const { id } = this.#engine.naming
    const added = this.#added.get(name)
    if (added && !added.hasIds) await this.#assignIds(name, added)
    const rows = await this.rowsOf(name)
    return rows.map((row) => row[id])
  }

  /** Stores the rows. Resolves with them, by collection. */
  async commit(): Promise<ReadonlyMap<string, readonly Row[]>> {
    const inserts = this.#inserts()
    const [only] = inserts
    if (only && inserts.length === 1) {
      return new Map([[only.collection, (await this.#engine.write<'insert'>(only, this.#write)) ?? []]])
    }
    return this.#writeAll(inserts, this.#write)
  }

  /** The ids that the server would assign. */
  async #assignIds(name: string, added: Added): Promise<void> {
    const { id } = this.#engine.naming
    const made = await this.#writeAll(this.#inserts(), { ...this.#write, dryRun: true })
    for (const [at, { [id]: assigned }] of (made.get(name) ?? []).entries()) {
      const row = added.rows[at]
      if (row) row[id] = assigned
    }
    added.hasIds = true
  }

  async #writeAll(
    changes: readonly Insert[],
    options: WriteOptions,
  ): Promise<ReadonlyMap<string, readonly Row[]>> {
    const names = changes.map(({ collection }) => collection)
    const outcomes = await this.#engine.write<'batch'>({ kind: 'batch', changes, names }, options)
    return new Map(names.map((name, at) => [name, rowsIn(outcomes[at])]))
  }

  #inserts(): readonly Insert[] {
    return [...this.#added]
      .filter(([, { rows }]) => rows.length > 0)
      .map(([collection, { rows, hasIds, hasSentIds }]) => {
        return { kind: 'insert', collection, rows, ...(hasIds && !hasSentIds && { keepsIds: true }) }
      })
  }
}

function rowsIn(outcome: unknown): readonly Row[] {
  return Array.isArray(outcome) ? outcome : []
}
