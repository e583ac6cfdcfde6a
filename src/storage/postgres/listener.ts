import type pg from 'pg'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { type Fields, keepAlive } from './connection.ts'
import type { Connections } from './connections.ts'
import { unavailable } from './failures.ts'

const SHORT = 100
const LONG = 1000
/** A health check must not wait for a stuck database. */
const CHECK_MS = 2000
const DEAF_MS = 5000

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
  #pulse: Heartbeat | undefined
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
        if (this.#client === client) this.#lose()
      })
      await client.query(`LISTEN "restable_${connections.schema}"`)
      keepAlive(client, false)
      await this.#tryOut(client)
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
    this.#forget()
    this.#ready = Promise.reject(unavailable(new Error('closed')))
    this.#ready.catch(() => {})
    if (!client) return
    // Otherwise the process might end before the connection does, with an exit code.
    keepAlive(client, true)
    const timer = setTimeout(() => client.connection.stream.destroy(), this.#options.connections.patienceMs)
    await client.end().finally(() => clearTimeout(timer))
  }

  /** A pooler may accept LISTEN and pass nothing on: changes of other servers would be missed. */
  async #tryOut(client: pg.Client): Promise<void> {
    const { connections } = this.#options
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<void>((resolve, reject) => {
      client.once('notification', () => resolve())
      client.once('end', () => reject(new Error('Connection terminated')))
      timer = setTimeout(() => reject(new ConfigError(DEAF)), DEAF_MS)
    })
    heard.catch(() => {})
    // On another connection: own notifications come with the response.
    let speaker: pg.Client | undefined
    try {
      speaker = await connections.connect()
      await Promise.all([speaker.query(HELLO, [`restable_${connections.schema}`]), heard])
    } finally {
      clearTimeout(timer)
      speaker?.end().catch(() => {})
    }
  }

  #watch(client: pg.Client): void {
    const { connections, heartbeat: pulse, onHeartbeat: onPulse } = this.#options
    const ask = async () => onPulse((await client.query<Fields>(pulse)).rows)
    this.#pulse = new Heartbeat(
      () => ask().catch(() => {}),
      connections.patienceMs,
      () => {
        this.#forget()
        this.#startLater(SHORT, new Error('The database is silent.'))
        connections.cut()
      },
    )
  }

  #lose(): void {
    this.#forget()
    if (this.#isClosed) return
    this.#ready = this.#startAgain(SHORT)
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
      this.#startAgain(Math.min(2 * wait, LONG)).catch(() => {})
    }, wait).unref()
  }

  #forget(): void {
    this.#client = undefined
    this.#pulse?.stop()
    this.#pulse = undefined
  }
}

const HELLO = `SELECT pg_notify($1, 'hello')`
const DEAF =
  'source: notifications of the database do not arrive. Connect to PostgreSQL itself, or to a pooler in session mode.'

const PARTS = 3

/** Notices a silent database: a network that drops everything closes no connection. Needs a connection of its own. */
export class Heartbeat {
  readonly #ask: () => Promise<unknown>
  readonly #onSilence: () => void
  readonly #patienceMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(ask: () => Promise<unknown>, patienceMs: number, onSilence: () => void) {
    this.#ask = ask
    this.#patienceMs = patienceMs
    this.#onSilence = onSilence
    this.#beatLater()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    let isAnswered = false
    this.#timer = setTimeout(() => {
      // If this process hung, the response has arrived already, and is read before this.
      setImmediate(() => {
        if (!isAnswered && this.#timer) this.#onSilence()
      })
    }, this.#patienceMs).unref()
    const answered = () => {
      isAnswered = true
      if (!this.#timer) return
      clearTimeout(this.#timer)
      this.#beatLater()
    }
    this.#ask().then(answered, () => {})
  }

  #beatLater(): void {
    this.#timer = setTimeout(() => this.#beat(), this.#patienceMs / PARTS).unref()
  }
}
