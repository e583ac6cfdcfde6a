import { Socket } from 'node:net'
import type pg from 'pg'
import type { Address } from './address.ts'
import { Connection } from './connection.ts'
import { PatientPool } from './patient-pool.ts'
import { Pipelines } from './pipelines.ts'
import type { Fields, Sql, Statement } from './sql.ts'
import { isUnavailable, unavailable } from './unavailable.ts'

/**
 * Connections that one instance uses for transactions that read, for what is short, and for what takes long while nobody
 * waits. There are the pipelines, a writer and a listener besides.
 */
const READERS = 4
const BRIEF = 2
const CHORES = 2
const CONNECT_MS = 5000
const PATIENCE_MS = 10_000

/**
 * What the server does for each of our connections. Should this instance hang, or its machine vanish, others wait for its
 * locks no longer than that.
 */
const SETTINGS = [
  // Compiling a query takes longer than any of ours.
  'jit=off',
  'idle_in_transaction_session_timeout=30s',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=4',
  'tcp_user_timeout=30s',
]

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** The connections of one engine. */
export class Connections {
  /** How long the database may be silent before it counts as gone. */
  readonly patienceMs: number
  readonly #readers: PatientPool
  readonly #brief: PatientPool
  readonly #chores: PatientPool
  readonly #writers: PatientPool
  readonly #pipelines: Pipelines
  readonly #config: pg.ClientConfig
  readonly #driver: typeof pg
  readonly #signal: AbortSignal | undefined
  readonly #sockets = new Set<Socket>()

  /** @param signal ends transactions that write, whatever they are at */
  constructor(driver: typeof pg, { url, settings }: Address, patienceMs = PATIENCE_MS, signal?: AbortSignal) {
    this.patienceMs = patienceMs
    this.#driver = driver
    this.#signal = signal
    this.#config = {
      connectionString: url,
      application_name: 'restable',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      pipeline: true,
      options: [...SETTINGS.map((setting) => `-c ${setting}`), settings].join(' '),
      stream: () => this.#newSocket(),
    }
    this.#readers = this.#pool(READERS)
    this.#brief = this.#pool(BRIEF)
    this.#chores = this.#pool(CHORES)
    this.#writers = this.#pool(1)
    this.#pipelines = new Pipelines(() => this.newClient())
  }

  /**
   * Opens one connection of each kind, but for the listener's and the writer's. Rejects if the database has too few to give.
   * They are kept, so that no other server takes them.
   */
  async open(): Promise<void> {
    const text = 'SELECT 1'
    const reading = this.inSnapshot((sql) => sql.query(text))
    await Promise.all([reading, this.askQuickly({ text }), this.ask(text), this.work(text)])
  }

  /** Runs statements that all see the same moment. */
  inSnapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#within(this.#readers, SNAPSHOT, work)
  }

  /** Runs one statement that takes a moment, and shares its connection with others. */
  async askQuickly<R extends Fields>(statement: Statement): Promise<readonly R[]> {
    try {
      return await this.#pipelines.ask<R>(statement)
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    }
  }

  /** Runs a few short statements that all see the same moment. Nobody is in the way for long. */
  inShortSnapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#within(this.#brief, SNAPSHOT, work)
  }

  /** Runs one short statement, which is one moment too. Nobody is in the way for long. */
  ask<R extends Fields>(text: string, values?: readonly unknown[]): Promise<readonly R[]> {
    return this.#brief.query<R>(text, values)
  }

  /**
   * Runs one statement that may take long, such as one that makes an index.
   * @param signal ends the wait for it; the database goes on with it by itself
   */
  work<R extends Fields>(
    text: string,
    values?: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly R[]> {
    return this.#chores.query<R>(text, values, signal)
  }

  /** Runs a transaction that may write beside the others, and take long: it needs no turn. It has to commit. */
  inCopy<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#within(this.#chores, 'BEGIN', work)
  }

  /** Runs a transaction that may write. It has to commit; what it leaves open is rolled back. */
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (!this.#signal) return this.#within(this.#writers, 'BEGIN', work)
    const signal = this.#signal
    return this.#within(this.#writers, 'BEGIN', (sql) => this.#untilAborted(sql, signal, work))
  }

  /** A connection of its own, to listen with. */
  newClient(): pg.Client {
    return new this.#driver.Client(this.#config)
  }

  /** Breaks all connections: who waits for an answer that never comes is told so. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Breaks what is left after a while: a database that is silent does not say goodbye. */
  cutLater(): void {
    setTimeout(() => this.cut(), this.patienceMs).unref()
  }

  async close(): Promise<void> {
    this.cutLater()
    const pools = [this.#readers, this.#brief, this.#chores, this.#writers]
    await Promise.all([...pools.map((pool) => pool.end()), this.#pipelines.close()])
  }

  #newSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }

  /**
   * A statement that takes long, such as one that makes an index, is not waited for. What is written may come slowly:
   * the server has to be patient.
   */
  async #untilAborted<T>(sql: Sql, signal: AbortSignal, work: (sql: Sql) => Promise<T>): Promise<T> {
    sql.send('SET LOCAL idle_in_transaction_session_timeout = 0')
    const [own] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const cancel = () => this.ask('SELECT pg_cancel_backend($1)', [own?.pid]).catch(() => {})
    signal.addEventListener('abort', cancel)
    try {
      signal.throwIfAborted()
      return await work(sql)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async #within<T>(pool: PatientPool, begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const connection = new Connection(this.#driver, await pool.connect())
    try {
      connection.send(begin)
      return await work(connection)
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    } finally {
      connection.release()
    }
  }

  #pool(max: number): PatientPool {
    const pool = new this.#driver.Pool({
      ...this.#config,
      max,
      min: 1,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    })
    // An idle connection that breaks is replaced when the next one is needed.
    pool.on('error', () => {})
    // One in use fails its statements; Node would end the process for an error that nobody listens to.
    pool.on('connect', (client) => client.on('error', () => {}))
    return new PatientPool(pool, max)
  }
}
