import type pg from 'pg'
import type { Address } from './address.ts'
import { Connection } from './connection.ts'
import type { Fields, Sql } from './sql.ts'
import { isUnavailable, unavailable } from './unavailable.ts'

/** Connections that one instance uses for reads; with the writer and the listener there are two more. */
const READERS = 5
const PATIENCE_MS = 5000

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** The connections of one engine. */
export class Connections {
  readonly #readers: pg.Pool
  readonly #writers: pg.Pool
  readonly #config: pg.ClientConfig
  readonly #driver: typeof pg

  constructor(driver: typeof pg, { url }: Address) {
    this.#driver = driver
    this.#config = {
      connectionString: url,
      application_name: 'restable',
      connectionTimeoutMillis: PATIENCE_MS,
      keepAlive: true,
      pipeline: true,
      // Compiling a query takes longer than any of ours.
      options: '-c jit=off',
    }
    this.#readers = this.#pool(READERS)
    this.#writers = this.#pool(1)
  }

  /** Runs statements that all see the same moment. */
  inSnapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return within(this.#readers, SNAPSHOT, work)
  }

  /** Runs one statement, which is one moment too. */
  async ask<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    try {
      return (await this.#readers.query<R>(text, values?.slice())).rows
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  /** Runs a transaction that may write beside the others: it needs no turn. It has to commit. */
  inCopy<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return within(this.#readers, 'BEGIN', work)
  }

  /** Runs a transaction that may write. It has to commit; what it leaves open is rolled back. */
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return within(this.#writers, 'BEGIN', work)
  }

  /** A connection of its own, to listen with. */
  newClient(): pg.Client {
    return new this.#driver.Client(this.#config)
  }

  async close(): Promise<void> {
    await Promise.all([this.#readers.end(), this.#writers.end()])
  }

  #pool(max: number): pg.Pool {
    const pool = new this.#driver.Pool({
      ...this.#config,
      max,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    })
    // An idle connection that breaks is replaced when the next one is needed.
    pool.on('error', () => {})
    // One in use fails its statements; Node would end the process for an error that nobody listens to.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
}

async function within<T>(pool: pg.Pool, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = new Connection(await connect(pool))
  try {
    connection.send(begin)
    return await work(connection)
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error) : error
  } finally {
    connection.release()
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error) : error
  }
}
