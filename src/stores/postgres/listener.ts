import type pg from 'pg'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { inTime } from '../../core/kernel/util/in-time.ts'
import { beat } from './beat.ts'
import { keepAlive, type SqlRow } from './connection.ts'
import type { Connections } from './connections.ts'
import { unavailable } from './failures.ts'

const FIRST_DELAY = 100
const LONGEST_DELAY = 1000
/** A health check must not wait for a stuck database. */
const CHECK_MS = 2000
const NOTIFY_MS = 5000

export interface ListenerOptions {
  readonly connections: Connections
  readonly onNotification: (payload: string | undefined) => void
  /** A statement to send now and then, and what to do with its rows. */
  readonly heartbeat: string
  readonly onHeartbeat: (rows: readonly SqlRow[]) => void
  readonly onReconnect: () => void
}

/** Listens on a connection, which is replaced when it breaks. If the database is silent, all connections are cut. */
export class Listener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #stopBeating = () => {}
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #ready: Promise<void> = Promise.resolve()

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Resolves while it listens. After a loss, waits for one attempt to reconnect, and rejects if that fails. */
  ready(): Promise<void> {
    return this.#ready
  }

  async start(): Promise<void> {
    const { connections, onNotification } = this.#options
    const timer = setTimeout(() => connections.cut(), connections.connectMs)
    let client: pg.Client | undefined
    let isLost = false
    try {
      client = await connections.connect()
      client.once('end', () => {
        isLost = true
        if (this.#client === client) this.#reconnect()
      })
      await client.query(`LISTEN "restable_${connections.schema}"`)
      keepAlive(client, false)
      await this.#testNotifications(client)
      if (isLost || this.#isClosed) throw new Error('Connection terminated')
    } catch (error) {
      client?.end().catch(() => {})
      throw error
    } finally {
      clearTimeout(timer)
    }
    client.on('notification', ({ payload }) => onNotification(payload))
    this.#client = client
    this.#ready = Promise.resolve()
    this.#watch(client)
  }

  /** Rejects unless the database responds soon. Not on a connection that other work queues for. */
  async check(): Promise<void> {
    try {
      if (!this.#client) throw new Error('not connected')
      const response = this.#client.query(this.#options.heartbeat)
      await inTime(response, CHECK_MS, () => new Error('no response'))
    } catch (error) {
      throw unavailable(error)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#clear()
    this.#ready = Promise.reject(unavailable(new Error('closed')))
    this.#ready.catch(() => {})
    if (!client) return
    // Otherwise the process might end before the connection does, with an exit code.
    keepAlive(client, true)
    const timer = setTimeout(() => client.connection.stream.destroy(), this.#options.connections.patienceMs)
    await client.end().finally(() => clearTimeout(timer))
  }

  /** A pooler may accept LISTEN and pass nothing on: changes of other servers would be missed. */
  async #testNotifications(client: pg.Client): Promise<void> {
    const { connections } = this.#options
    const notified = new Promise<void>((resolve, reject) => {
      client.once('notification', () => resolve())
      client.once('end', () => reject(new Error('Connection terminated')))
    })
    notified.catch(() => {})
    // On another connection: own notifications come with the response.
    const sender = await connections.connect()
    try {
      await sender.query(NOTIFY, [`restable_${connections.schema}`])
      await inTime(notified, NOTIFY_MS, () => new ConfigError(NOT_NOTIFIED))
    } finally {
      sender.end().catch(() => {})
    }
  }

  #watch(client: pg.Client): void {
    const { connections, heartbeat, onHeartbeat } = this.#options
    const send = async () => onHeartbeat((await client.query<SqlRow>(heartbeat)).rows)
    this.#stopBeating = beat(
      () => send().catch(() => {}),
      connections.patienceMs,
      () => {
        this.#clear()
        this.#startLater(FIRST_DELAY, new Error('The database is silent.'))
        connections.cut()
      },
    )
  }

  #reconnect(): void {
    this.#clear()
    if (this.#isClosed) return
    this.#ready = this.#startAgain(FIRST_DELAY)
    this.#ready.catch(() => {})
  }

  async #startAgain(wait: number): Promise<void> {
    try {
      await this.start()
    } catch (error) {
      this.#startLater(wait, error)
      throw unavailable(error)
    }
    this.#options.onReconnect()
  }

  #startLater(wait: number, cause: unknown): void {
    if (this.#isClosed) return
    this.#ready = Promise.reject(unavailable(cause))
    this.#ready.catch(() => {})
    this.#timer = setTimeout(() => {
      this.#startAgain(Math.min(2 * wait, LONGEST_DELAY)).catch(() => {})
    }, wait).unref()
  }

  #clear(): void {
    this.#client = undefined
    this.#stopBeating()
  }
}

const NOTIFY = `SELECT pg_notify($1, 'hello')`
const NOT_NOTIFIED =
  'source: notifications of the database do not arrive. Connect to PostgreSQL itself, or to a pooler in session mode.'
