import type pg from 'pg'
import { ConfigError } from '../../../errors.ts'
import type { Connections } from './connections.ts'
import { keepAlive } from './pipelines.ts'
import { Pulse } from './pulse.ts'
import type { Fields } from './sql.ts'
import { unavailable } from './unavailable.ts'

/** How long to wait before listening again, in milliseconds. */
const SHORT = 100
const LONG = 2000
/** A load balancer that asks whether the database answers is not to wait for one that is stuck. */
const CHECK_MS = 2000
/** Longer than any notification takes. */
const DEAF_MS = 5000

export interface ListenerOptions {
  readonly connections: Connections
  readonly channel: string
  /** What to do with a notification. If it fails, something was missed. */
  readonly onNews: (payload: string | undefined) => Promise<unknown>
  /** The statement to ask now and then, and what to do with its rows. If it fails, something was missed. */
  readonly pulse: string
  readonly onPulse: (rows: readonly Fields[]) => Promise<unknown>
  /** What to do whenever listening has started: until it is done, something may have been missed. */
  readonly catchUp: () => Promise<unknown>
}

/** A connection that listens, and that is replaced whenever it breaks or falls silent. */
export class Listener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #pulse: Pulse | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Whether nothing was missed so far. */
  get isListening(): boolean {
    return this.#client !== undefined
  }

  async start(): Promise<void> {
    const { connections, channel, onNews, pulse, onPulse, catchUp } = this.#options
    const client = connections.newClient()
    let isLost = false
    const lose = () => {
      isLost = true
      if (this.#client !== client) return
      this.#forget()
      this.#startAgain()
    }
    const startOver = () => {
      lose()
      end(client)
    }
    client.once('end', lose)
    client.on('error', () => {})
    client.on('notification', ({ payload }) => {
      onNews(payload).catch(startOver)
    })
    try {
      await client.connect()
      await client.query(`LISTEN "${channel}"`)
      // A server keeps the process alive; what only reads once does not wait for news.
      keepAlive(client, false)
      await this.#listenOnce(client)
      await catchUp()
      if (isLost || this.#isClosed) throw new Error('Connection terminated')
    } catch (error) {
      end(client)
      throw error
    }
    this.#client = client
    // Who waits for an answer on another connection waits for nothing as well.
    this.#pulse = new Pulse(
      () =>
        client.query<Fields>(pulse).then(({ rows }) => {
          // Not waited for: what takes its time elsewhere is not the silence of this connection.
          onPulse(rows).catch(startOver)
        }, startOver),
      connections.patienceMs,
      () => connections.cut(),
    )
  }

  /** A pooler may accept that one listens, and pass nothing on: then what is kept would never become old. */
  async #listenOnce(client: pg.Client): Promise<void> {
    const { connections, channel } = this.#options
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<void>((resolve, reject) => {
      client.once('notification', () => resolve())
      client.once('end', () => reject(new Error('Connection terminated')))
      timer = setTimeout(() => reject(new ConfigError(DEAF)), DEAF_MS)
    })
    try {
      // On another connection: one's own notifications come with the answer.
      await Promise.all([connections.ask('SELECT pg_notify($1, $2)', [channel, 'hello']), heard])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Rejects unless the database answers, and soon. Nobody queues for this connection: a busy server is not a lost one. */
  async check(): Promise<void> {
    const client = this.#client
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('no answer')), CHECK_MS)
        if (client) client.query(this.#options.pulse).then(resolve, reject)
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
    this.#options.connections.cutLater()
    // Else a process that has nothing left to do ends before this does, and says so with an exit code.
    if (client) keepAlive(client, true)
    await client?.end()
  }

  #forget(): void {
    this.#client = undefined
    this.#pulse?.stop()
    this.#pulse = undefined
  }

  #startAgain(wait = SHORT): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.start().catch(() => this.#startAgain(Math.min(2 * wait, LONG)))
    }, wait)
    this.#timer.unref()
  }
}

const DEAF =
  'source: notifications of the database do not arrive. Connect to PostgreSQL itself, or to a pooler in session mode.'

function end(client: pg.Client): void {
  client.end().catch(() => {})
}
