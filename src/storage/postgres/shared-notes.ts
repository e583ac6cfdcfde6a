import type { Shared } from '../engine.ts'
import type { Tables } from './layout/tables.ts'
import type { Sql } from './link/sql.ts'

/** How many are kept, and how often the oldest are looked for. */
const MOST = 100_000
const EVERY = 1000

/** Strings in a table of their own. */
export class SharedNotes implements Shared {
  readonly #ask: Sql['query']
  readonly #table: string
  readonly #secret: () => string
  #added = 0

  constructor(ask: Sql['query'], { shared }: Tables, secret: () => string) {
    this.#ask = ask
    this.#table = shared
    this.#secret = secret
  }

  get secret(): string {
    return this.#secret()
  }

  async read(name: string): Promise<string | undefined> {
    const [found] = await this.#ask<{ value: string }>(`SELECT value FROM ${this.#table} WHERE name = $1`, [
      name,
    ])
    return found?.value
  }

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
    if (this.#added++ % EVERY === 0) await this.#forget()
    const added = await this.#ask(
      `INSERT INTO ${this.#table} (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [name, value],
    )
    return added.length > 0
  }

  async #forget(): Promise<void> {
    await this.#ask(
      `DELETE FROM ${this.#table} WHERE at < (SELECT at FROM ${this.#table} ORDER BY at DESC OFFSET ${MOST} LIMIT 1)`,
    )
  }
}
