import { Socket } from 'node:net'
import type pg from 'pg'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type { Address } from './address.ts'
import { beat } from './beat.ts'
import { Connection, type Gate, type SqlRow, SqlTransaction, type SqlValues } from './connection.ts'
import { isLost } from './failures.ts'

const OLDEST_VERSION = 13

/** At the start, a database may have to wake up. */
const FIRST_CONNECT_MS = 10_000
const CONNECT_MS = 3000
const PATIENCE_MS = 3000
/** Of import and export, which keep nobody waiting; until it is noticed, a third more passes at most. */
const SLOW_PATIENCE_MS = 20_000

/** How long a hung process, or a lost machine, holds locks. One that is alive sends something more often. */
const HUNG = '5s'

/** Defaults for each connection. */
const SETTINGS = {
  // Compiling a query would take longer than any of ours.
  jit: 'off',
  // Numbers survive the round trip.
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  idle_in_transaction_session_timeout: HUNG,
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: HUNG,
}

/** For import and export: reading a large file may keep this process busy, and an export waits for its reader. */
const SLOW_SETTINGS = { idle_in_transaction_session_timeout: '30s', tcp_user_timeout: '0' }

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Separate connections, so that nothing waits behind slower work. The listener has another. */
const USES = ['write', 'read', 'shared', 'copy'] as const
export type Use = (typeof USES)[number]

type Work<T> = (sql: SqlTransaction) => Promise<T>

export class Connections {
  readonly schema: string
  readonly #setup: string
  readonly patienceMs: number
  connectMs = FIRST_CONNECT_MS
  #gate: Gate = () => Promise.resolve()
  readonly #newClient: () => pg.Client
  readonly #connections: Readonly<Record<Use, Connection>>
  readonly #sockets = new Set<Socket>()

  private constructor(driver: typeof pg, address: Address, patienceMs: number, overrides: object) {
    const { url, settings, schema } = address
    this.schema = schema
    const defaults = Object.entries({ ...SETTINGS, ...overrides }).filter(
      ([name]) => !settings.includes(name),
    )
    // Not sent while connecting: a server that is too old would refuse it without a reason.
    this.#setup = [...defaults, ['search_path', schema]]
      .map(([name, value]) => `SET ${name} TO '${value}'`)
      .join(';')
    this.patienceMs = patienceMs
    const config: pg.ClientConfig = {
      connectionString: url,
      application_name: 'restable',
      keepAlive: true,
      pipeline: true,
      options: settings,
      stream: () => this.#newSocket(),
    }
    this.#newClient = () => new driver.Client({ ...config, connectionTimeoutMillis: this.connectMs })
    const connect = () => this.connect()
    const gate = () => this.#gate()
    const connection = () => new Connection(connect, gate)
    this.#connections = { write: connection(), read: connection(), shared: connection(), copy: connection() }
  }

  static async to(address: Address, patienceMs = PATIENCE_MS, overrides = {}): Promise<Connections> {
    const { default: driver } = await import('pg').catch((cause: unknown) => {
      throw new ConfigError('source: PostgreSQL needs the package pg. Run npm install pg.', { cause })
    })
    return new Connections(driver, address, patienceMs, overrides)
  }

  /** Runs work that may take long. A signal can end it immediately, even if the database is silent; if it stays silent, it fails. */
  static async use<T>(
    address: Address,
    signal: AbortSignal | undefined,
    work: (connections: Connections) => Promise<T>,
  ): Promise<T> {
    const connections = await Connections.to(address, undefined, SLOW_SETTINGS)
    const cut = () => connections.cut()
    signal?.addEventListener('abort', cut)
    connections.#gate = async () => signal?.throwIfAborted()
    const respond = () =>
      connections.query('shared', 'SELECT 1').catch((error: unknown) => {
        // A refusal is a response, too: there may be no connection left for this.
        if (isLost(error)) throw error
      })
    const stopBeating = beat(respond, SLOW_PATIENCE_MS, cut)
    try {
      return await work(connections)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      stopBeating()
      await connections.close()
      signal?.removeEventListener('abort', cut)
    }
  }

  /** Opens all connections, so that no other server takes them. Rejects if the database has too few. */
  async open(): Promise<void> {
    await Promise.all(USES.map((use) => this.#connections[use].run(async () => {})))
  }

  /** From now on, the gate is awaited before a connection is used, and connecting may take less time. */
  useGate(gate: Gate): void {
    this.#gate = gate
    this.connectMs = CONNECT_MS
  }

  /** For one statement that may be repeated: an idle connection may have been lost. */
  async query<R extends SqlRow>(
    use: Use,
    text: string,
    values?: SqlValues,
    gate?: Gate,
  ): Promise<readonly R[]> {
    try {
      return await this.queryOnce<R>(use, text, values, gate)
    } catch (error) {
      if (!isLost(error)) throw error
      return this.queryOnce<R>(use, text, values, gate)
    }
  }

  queryOnce<R extends SqlRow>(
    use: Use,
    text: string,
    values?: SqlValues,
    gate?: Gate,
  ): Promise<readonly R[]> {
    return this.#connections[use].run(
      async (client) => (await client.query<R>(text, values?.slice())).rows,
      gate,
    )
  }

  inTransaction<T>(use: Use, work: Work<T>, begin?: string, gate?: Gate): Promise<T> {
    return this.#connections[use].run(async (client) => {
      const transaction = new SqlTransaction(client, begin)
      const stopBeating = beat(
        () => client.query('SELECT 1'),
        PATIENCE_MS,
        () => {},
      )
      try {
        return await work(transaction)
      } finally {
        stopBeating()
        transaction.end()
      }
    }, gate)
  }

  inSnapshot<T>(use: Use, work: Work<T>): Promise<T> {
    return this.inTransaction(use, work, SNAPSHOT)
  }

  async connect(): Promise<pg.Client> {
    const client = this.#newClient()
    // Node would end the process for an unhandled error event: statements fail by themselves.
    client.on('error', () => {})
    const parameters = new Map<unknown, unknown>()
    client.connection.on('parameterStatus', (status: Record<string, unknown>) =>
      parameters.set(status.parameterName, status.parameterValue),
    )
    await client.connect()
    try {
      checkServer(parameters.get('server_version'), parameters.get('server_encoding'))
      await client.query(this.#setup)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    return client
  }

  /** Destroys all connections, so that statements without a response fail. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Destroys what is left after a while: the database may be silent. */
  async close(): Promise<void> {
    setTimeout(() => this.cut(), this.patienceMs).unref()
    await Promise.all(USES.map((use) => this.#connections[use].end()))
  }

  #newSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}

export function checkServer(version: unknown, encoding: unknown): void {
  if (Number.parseInt(String(version), 10) < OLDEST_VERSION) {
    const remedy = `Use version ${OLDEST_VERSION} or a newer one.`
    throw new ConfigError(`source: the database is PostgreSQL ${version}. ${remedy}`)
  }
  if (encoding !== undefined && encoding !== 'UTF8') {
    const remedy = "Use one that is created with ENCODING 'UTF8'."
    throw new ConfigError(`source: the database has the encoding ${encoding}. ${remedy}`)
  }
}
