import { Socket } from 'node:net'
import type pg from 'pg'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Address } from './address.ts'
import { type Fields, type Gate, Line, Transaction, type Values } from './connection.ts'
import { isLost } from './failures.ts'

/** The oldest PostgreSQL that is known to work. */
const OLDEST = 13

/** How long a connection may take to be made: at the start, when a database may have to wake up, and later. */
const FIRST_CONNECT_MS = 10_000
const CONNECT_MS = 3000
const PATIENCE_MS = 3000

/** Unless the address says otherwise. Should this process hang, or its machine vanish, others wait no longer than that. */
const SETTINGS = {
  // Compiling a query takes longer than any of ours.
  jit: 'off',
  // As many digits as make the same number again.
  extra_float_digits: '1',
  idle_in_transaction_session_timeout: '30s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30s',
}

/** For work that takes data in, or hands it out: either may be slow. */
const NO_HURRY = { idle_in_transaction_session_timeout: '0', tcp_user_timeout: '0' }

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** What connections are for: nothing waits behind what may take longer. A listener has one besides. */
const USES = ['write', 'read', 'note', 'copy'] as const
export type Use = (typeof USES)[number]

type Work<T> = (sql: Transaction) => Promise<T>

export class Connections {
  readonly schema: string
  readonly #greeting: string
  readonly patienceMs: number
  connectMs = FIRST_CONNECT_MS
  #gate: Gate = () => Promise.resolve()
  readonly #newClient: () => pg.Client
  readonly #lines: Readonly<Record<Use, Line>>
  readonly #sockets = new Set<Socket>()

  private constructor(driver: typeof pg, address: Address, patienceMs: number, own: object) {
    const { url, settings, schema } = address
    this.schema = schema
    const defaults = Object.entries(SETTINGS).filter(([name]) => !settings.includes(name))
    // Not when it connects: a server that is too old would refuse that, and not say why.
    this.#greeting = [...defaults, ...Object.entries(own), ['search_path', schema]]
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
    const line = () => new Line(connect, gate)
    this.#lines = { write: line(), read: line(), note: line(), copy: line() }
  }

  /** Connections that are made when they are needed. Loads the driver: nobody needs it whose data is elsewhere. */
  static async to(address: Address, patienceMs = PATIENCE_MS, own = {}): Promise<Connections> {
    const { default: driver } = await import('pg').catch((cause: unknown) => {
      throw new ConfigError('source: PostgreSQL needs the package pg. Run npm install pg.', { cause })
    })
    return new Connections(driver, address, patienceMs, own)
  }

  /** Connections for one piece of work, which a signal ends immediately, even if the database is silent. */
  static async use<T>(
    address: Address,
    signal: AbortSignal | undefined,
    work: (connections: Connections) => Promise<T>,
  ): Promise<T> {
    const connections = await Connections.to(address, undefined, NO_HURRY)
    const cut = () => connections.cut()
    signal?.addEventListener('abort', cut)
    connections.guardBy(async () => signal?.throwIfAborted())
    try {
      return await work(connections)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      await connections.close()
      signal?.removeEventListener('abort', cut)
    }
  }

  /** Makes all connections, which are kept, so that no other server takes them. Rejects if there are too few to give. */
  async open(): Promise<void> {
    await Promise.all(USES.map((use) => this.#lines[use].run(async () => {})))
  }

  /** From now on, the gate is asked before a connection is used, and a new one is waited for no longer than others are. */
  guardBy(gate: Gate): void {
    this.#gate = gate
    this.connectMs = CONNECT_MS
  }

  /** Runs one statement that only reads, or may be repeated: a connection may have been lost while nobody used it. */
  async ask<R extends Fields>(use: Use, text: string, values?: Values, gate?: Gate): Promise<readonly R[]> {
    try {
      return await this.askOnce<R>(use, text, values, gate)
    } catch (error) {
      if (!isLost(error)) throw error
      return this.askOnce<R>(use, text, values, gate)
    }
  }

  askOnce<R extends Fields>(use: Use, text: string, values?: Values, gate?: Gate): Promise<readonly R[]> {
    return this.#lines[use].run(async (client) => (await client.query<R>(text, values?.slice())).rows, gate)
  }

  /** Runs a transaction, which has to commit; what it leaves open is rolled back. */
  inTransaction<T>(use: Use, work: Work<T>, begin?: string, gate?: Gate): Promise<T> {
    return this.#lines[use].run(async (client) => {
      const transaction = new Transaction(client, begin)
      try {
        return await work(transaction)
      } finally {
        transaction.end()
      }
    }, gate)
  }

  inSnapshot<T>(use: Use, work: Work<T>): Promise<T> {
    return this.inTransaction(use, work, SNAPSHOT)
  }

  /** Another connection, which finds our tables by their names alone. */
  async connect(): Promise<pg.Client> {
    const client = this.#newClient()
    // Node would end the process for an error that nobody listens to: statements fail by themselves.
    client.on('error', () => {})
    const told = new Map<unknown, unknown>()
    client.connection.on('parameterStatus', (status: Record<string, unknown>) =>
      told.set(status.parameterName, status.parameterValue),
    )
    await client.connect()
    try {
      checkServer(told.get('server_version'), told.get('server_encoding'))
      await client.query(this.#greeting)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    return client
  }

  /** Breaks all connections: statements that wait for a response that never comes fail. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Breaks what is left after a while: a database that is silent does not say goodbye. */
  async close(): Promise<void> {
    setTimeout(() => this.cut(), this.patienceMs).unref()
    await Promise.all(USES.map((use) => this.#lines[use].end()))
  }

  #newSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}

export function checkServer(version: unknown, encoding: unknown): void {
  if (Number.parseInt(String(version), 10) < OLDEST) {
    const remedy = `Use version ${OLDEST} or a newer one.`
    throw new ConfigError(`source: the database is PostgreSQL ${version}. ${remedy}`)
  }
  if (encoding !== undefined && encoding !== 'UTF8') {
    const remedy = "Use one that is created with ENCODING 'UTF8'."
    throw new ConfigError(`source: the database has the encoding ${encoding}. ${remedy}`)
  }
}
