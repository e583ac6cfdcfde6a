import type { Connections } from './link/connections.ts'
import type { Fields } from './link/sql.ts'
import type { Tables } from './tables/tables.ts'

/** How many are kept, and how often the oldest are looked for. */
const MOST = 100_000
const EVERY = 1000

/** What all servers of the same data share, beside the data: strings in a table of their own. */
export class SharedNotes {
  /** Random, and the same for all of them as long as the schema is there. */
  secret: string
  readonly #connections: Connections
  readonly #table: string
  #added = 0

  constructor(connections: Connections, { shared }: Tables, secret: string) {
    this.#connections = connections
    this.#table = shared
    this.secret = secret
  }

  /** What any of them keeps by this name. */
  async read(name: string): Promise<string | undefined> {
    const text = `SELECT value FROM ${this.#table} WHERE name = $1`
    const found = await this.#connections.ask<{ value: string }>('note', text, [name])
    return found[0]?.value
  }

  /**
   * Keeps another string, or none, in the place of `before`; false if that is not there anymore. Of very many, those that
   * were kept first are forgotten.
   */
  async swap(name: string, before: string | undefined, after: string | undefined): Promise<boolean> {
    if (before === undefined) return after === undefined || this.#add(name, after)
    const changed =
      after === undefined
        ? await this.#ask(`DELETE FROM ${this.#table} WHERE name = $1 AND value = $2 RETURNING 1`, [
            name,
            before,
          ])
        : await this.#ask(
            `UPDATE ${this.#table} SET value = $3, at = clock_timestamp() WHERE name = $1 AND value = $2 RETURNING 1`,
            [name, before, after],
          )
    return changed.length > 0
  }

  async #add(name: string, value: string): Promise<boolean> {
    if (this.#added++ % EVERY === 0) {
      await this.#ask(
        `DELETE FROM ${this.#table} WHERE at < (SELECT at FROM ${this.#table} ORDER BY at DESC OFFSET ${MOST} LIMIT 1)`,
      )
    }
    const added = await this.#ask(
      `INSERT INTO ${this.#table} (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [name, value],
    )
    return added.length > 0
  }

  #ask<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    return this.#connections.askOnce<R>('note', text, values)
  }
}
