import type { Resource } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { AskQuickly, Fields, ReadSql } from '../link/sql.ts'

/** Rows that one statement may find: more would hold up others that share its connection. */
export const MOST_ROWS = 2000

/** What was asked for takes more than one short statement, or the catalogue is old: a transaction can tell. */
export class NeedsTransaction extends Error {}

/**
 * Sends one statement about a collection, which is one moment without a transaction. The statement itself tells
 * whether what is known of the collection still holds.
 */
export class OneStatement implements ReadSql {
  readonly #ask: AskQuickly
  readonly #tables: Tables
  readonly #resource: Resource
  #version: number | undefined

  constructor(ask: AskQuickly, tables: Tables, resource: Resource) {
    this.#ask = ask
    this.#tables = tables
    this.#resource = resource
  }

  /** The version of the data that it was about. */
  get version(): number {
    if (this.#version === undefined) throw new NeedsTransaction()
    return this.#version
  }

  async query<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    if (this.#version !== undefined) throw new NeedsTransaction()
    const { state, resources } = this.#tables
    const { rid, version } = this.#resource
    const found = await this.#ask<R & Guard>({
      text: `SELECT s.version AS guard_now, r.version AS guard_changed, q.*
       FROM ${state} s LEFT JOIN ${resources} r ON r.rid = ${rid} LEFT JOIN LATERAL (SELECT true AS guard_found, q.* FROM (${text}) q LIMIT ${MOST_ROWS + 1}) q ON true`,
      values,
      // How much an index of words finds depends on the words.
      isSteady: !text.includes('words'),
    })
    const [first] = found
    // Where everything was replaced, it is not listed anymore: no number of a table is used again.
    if (found.length > MOST_ROWS || Number(first?.guard_changed) !== version) throw new NeedsTransaction()
    this.#version = Number(first?.guard_now)
    return found.filter(({ guard_found }) => guard_found)
  }

  send(): never {
    throw new NeedsTransaction()
  }
}

type Guard = {
  guard_now: string
  guard_changed: string | null
  guard_found: boolean | null
}
