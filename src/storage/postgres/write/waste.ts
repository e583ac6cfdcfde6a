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
  sql.send(`INSERT INTO ${tables.waste} (rid) SELECT rid FROM ${tables.resources} WHERE kind = 'collection'`)
}

/** A table that nobody needs. */
type Waste = { readonly rid: number; readonly image: number }

/** Drops tables that were replaced, or whose image was removed, one after the other, while everything else goes on. */
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
    const found = await this.#connections.ask<Waste>(`SELECT rid, image FROM ${waste} ORDER BY image, rid`)
    for (const each of found) await this.#drop(each).catch(() => {})
  }

  /** Each in a transaction of its own: with several locks there could be a deadlock with a reader. */
  #drop({ rid, image }: Waste): Promise<unknown> {
    const table = image === 0 ? this.#tables.of(rid) : this.#tables.ofImage(image, rid)
    return this.#connections.inCopy(async (sql) => {
      sql.send(`SET LOCAL lock_timeout = '${PATIENCE}'`)
      sql.send(`DROP TABLE IF EXISTS ${table}`)
      sql.send(`DELETE FROM ${this.#tables.waste} WHERE rid = $1 AND image = $2`, [rid, image])
      return sql.query('COMMIT')
    })
  }
}
