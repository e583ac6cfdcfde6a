import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import type { Sql } from '../link/sql.ts'

/** How long to wait for readers of a table: others that ask for it queue up behind. */
const PATIENCE = '200ms'

/**
 * Says in the transaction that replaces everything that nobody will need the old tables. Dropped there, they would be
 * locked until its end, and all readers would wait.
 */
export function discardAll(sql: Sql, tables: Tables): void {
  sql.send(`INSERT INTO ${tables.waste} SELECT rid FROM ${tables.resources} WHERE kind = 'collection'`)
}

/** Drops tables that were replaced, one after the other, while everything else goes on. */
export class Sweeper {
  readonly #connections: Connections
  readonly #tables: Tables
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connections: Connections, tables: Tables) {
    this.#connections = connections
    this.#tables = tables
  }

  /** Whatever cannot be dropped now stays for the next time, here or in another instance. */
  sweep(): void {
    this.#turn = this.#turn.then(() => this.#sweepAll()).catch(() => {})
  }

  /** Waits for what is being done. */
  close(): Promise<unknown> {
    return this.#turn
  }

  async #sweepAll(): Promise<void> {
    const { waste } = this.#tables
    const found = await this.#connections.ask<{ rid: number }>(`SELECT rid FROM ${waste} ORDER BY rid`)
    for (const { rid } of found) await this.#drop(rid).catch(() => {})
  }

  /** Each in a transaction of its own: with several locks there could be a deadlock with a reader. */
  #drop(rid: number): Promise<unknown> {
    return this.#connections.inCopy(async (sql) => {
      sql.send(`SET LOCAL lock_timeout = '${PATIENCE}'`)
      sql.send(`DROP TABLE IF EXISTS ${this.#tables.of(rid)}`)
      sql.send(`DELETE FROM ${this.#tables.waste} WHERE rid = $1`, [rid])
      return sql.query('COMMIT')
    })
  }
}
