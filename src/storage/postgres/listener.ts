import type pg from 'pg'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { type Fields, keepAlive } from './connection.ts'
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
  readonly onHeartbeat: (rows: readonly Fields[]) => void
  readonly onReconnect: () => void
}

/** Listens on a connection, which is replaced when it breaks. If the database is silent, all connections are cut. */
export class Listener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #heartbeat: Heartbeat | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #ready: Promise<void> = Promise.resolve()

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  get isListening(): boolean {
    return this.#client !== undefined
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
    const client = this.#client
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('no response')), CHECK_MS)
        if (client) client.query(this.#options.heartbeat).then(resolve, reject)
        else reject(new Error('not connected'))
      })
    } catch (error) {
      throw unavailable(error)
    } finally {
      clearTimeout(timer)
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
    let timer: NodeJS.Timeout | undefined
    const notified = new Promise<void>((resolve, reject) => {
      client.once('notification', () => resolve())
      client.once('end', () => reject(new Error('Connection terminated')))
      timer = setTimeout(() => reject(new ConfigError(NOT_NOTIFIED)), NOTIFY_MS)
    })
    notified.catch(() => {})
    // On another connection: own notifications come with the response.
    let sender: pg.Client | undefined
    try {
      sender = await connections.connect()
      await Promise.all([sender.query(NOTIFY, [`restable_${connections.schema}`]), notified])
    } finally {
      clearTimeout(timer)
      sender?.end().catch(() => {})
    }
  }

  #watch(client: pg.Client): void {
    const { connections, heartbeat, onHeartbeat } = this.#options
    const send = async () => onHeartbeat((await client.query<Fields>(heartbeat)).rows)
    this.#heartbeat = new Heartbeat(
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
    this.#heartbeat?.stop()
    this.#heartbeat = undefined
  }
}

const NOTIFY = `SELECT pg_notify($1, 'hello')`
const NOT_NOTIFIED =
  'source: notifications of the database do not arrive. Connect to PostgreSQL itself, or to a pooler in session mode.'

const PARTS = 3

/** Notices a silent database: a network that drops everything closes no connection. Needs a connection of its own. */
export class Heartbeat {
  readonly #send: () => Promise<unknown>
  readonly #onSilence: () => void
  readonly #patienceMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(send: () => Promise<unknown>, patienceMs: number, onSilence: () => void) {
    this.#send = send
    this.#patienceMs = patienceMs
    this.#onSilence = onSilence
    this.#beatLater()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    let hasResponse = false
    this.#timer = setTimeout(() => {
      // If this process hung, the response has arrived already, and is read before this.
      setImmediate(() => {
        if (!hasResponse && this.#timer) this.#onSilence()
      })
    }, this.#patienceMs).unref()
    const onResponse = () => {
      hasResponse = true
      if (!this.#timer) return
      clearTimeout(this.#timer)
      this.#beatLater()
    }
    this.#send().then(onResponse, () => {})
  }

  #beatLater(): void {
    this.#timer = setTimeout(() => this.#beat(), this.#patienceMs / PARTS).unref()
  }
}
