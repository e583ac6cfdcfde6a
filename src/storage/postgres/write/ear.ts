import type pg from 'pg'
import type { Commit } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import type { CatalogueReader } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import { unavailable } from '../link/unavailable.ts'
import type { Audience } from './audience.ts'
import { concealEffects } from './conceal-effects.ts'
import type { Freshness } from './freshness.ts'
import { readCommits, type Versioned } from './read-commits.ts'

/** How long to wait before listening again, in milliseconds. */
const SHORT = 100
const LONG = 2000
/** A load balancer that asks whether the database answers is not to wait for one that is stuck. */
const PATIENCE_MS = 2000

export interface EarOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly freshness: Freshness
  readonly audience: Audience
  readonly hidden: () => HiddenNames
  readonly instance: string
}

/** Hears the commits of all instances, and hands them on in order, each once. */
export class Ear {
  readonly #options: EarOptions
  #client: pg.Client | undefined
  #heard = 0
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: EarOptions) {
    this.#options = options
  }

  /** Whether commits of others are heard as they happen. */
  get isListening(): boolean {
    return this.#client !== undefined
  }

  /** Starts at what is there now. */
  async start(): Promise<void> {
    await this.#listen()
    const { version } = await this.#readCatalogue()
    this.#heard = version
    this.#options.freshness.start(version)
  }

  /** Hands on commits of this instance, after all that came before them. */
  tell(commits: readonly Versioned[], base: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#heard < base) await this.#catchUp().catch(() => this.#skipTo(base))
      for (const { version, commit } of commits) this.#announce(version, commit)
    })
  }

  /** Hands on what others committed. False if there was nothing new. */
  hear(): Promise<boolean> {
    return this.#inTurn(() => this.#catchUp())
  }

  /** Rejects unless the database answers, and soon. Nobody queues for this connection: a busy server is not a lost one. */
  async check(): Promise<void> {
    const client = this.#client
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS)
        if (client) client.query('SELECT 1').then(resolve, reject)
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
    await this.#turn
    await this.#client?.end()
    this.#client = undefined
  }

  async #catchUp(): Promise<boolean> {
    const { connections, tables } = this.#options
    const before = this.#heard
    const commits = await readCommits(
      { query: (text, values) => connections.ask(text, values) },
      tables,
      before,
    )
    if (!commits) {
      const { version } = await this.#readCatalogue()
      this.#skipTo(version)
    } else if (commits.length === 0 || commits.some(({ commit }) => !commit.effects))
      await this.#readCatalogue()
    for (const { version, commit } of commits ?? []) this.#announce(version, commit)
    return this.#heard > before
  }

  /** What happened until then cannot be told one by one. */
  #skipTo(version: number): void {
    const names = [...(this.#options.reader.last?.resources.keys() ?? [])]
    this.#announce(version, { names, isOutside: true })
  }

  #announce(version: number, commit: Commit): void {
    if (version <= this.#heard) return
    const { freshness, audience, hidden } = this.#options
    this.#heard = version
    freshness.note(version, commit)
    // By the rules of now, whatever they were when it was made.
    audience.tell(concealEffects(commit, hidden()))
  }

  #readCatalogue() {
    const { connections, reader } = this.#options
    return connections.inSnapshot((sql) => reader.read(sql))
  }

  async #listen(): Promise<void> {
    const { connections, tables, instance } = this.#options
    const client = connections.newClient()
    client.on('notification', ({ payload }) => {
      if (payload !== instance) this.hear().catch(() => {})
    })
    const lose = () => {
      if (this.#client === client) this.#client = undefined
      this.#listenAgain()
    }
    client.once('end', lose)
    client.on('error', () => {})
    await client.connect()
    await client.query(`LISTEN "${tables.channel}"`)
    // A server keeps the process alive; what only reads once does not wait for news.
    if ('unref' in client && typeof client.unref === 'function') client.unref()
    this.#client = client
  }

  #listenAgain(wait = SHORT): void {
    if (this.#isClosed || this.#timer) return
    this.#timer = setTimeout(async () => {
      this.#timer = undefined
      if (this.#client || this.#isClosed) return
      try {
        await this.#listen()
        await this.hear()
      } catch {
        this.#listenAgain(Math.min(2 * wait, LONG))
      }
    }, wait)
    this.#timer.unref()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}
