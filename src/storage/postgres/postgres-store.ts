import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Turns } from '../../work/turns.ts'
import type { News, Next, Store } from '../store.ts'
import type { Connections } from './link/connections.ts'
import { Listener } from './link/listener.ts'
import type { Sql } from './link/sql.ts'
import { isConflict, isLost } from './link/unavailable.ts'
import { logCommits, readCommits, readPast } from './log/commit-log.ts'
import { Ledger } from './log/ledger.ts'
import { finish } from './settle.ts'
import { copyContent, removeContent } from './tables/contents.ts'
import { readContent } from './tables/read-content.ts'
import { saveChanges } from './tables/save-changes.ts'
import { CURRENT, ORIGIN, type Tables } from './tables/tables.ts'

/** How often a transaction is tried that others got in the way of. */
const MOST_TRIES = 8

export interface PostgresStoreOptions {
  readonly connections: Connections
  readonly tables: Tables
  /** The version of the data that was loaded. */
  readonly version: number
  /** Whether reads wait until it is known that nothing is newer. */
  readonly isExact: boolean
  /** Called with the secret of the schema whenever everything is read again. */
  readonly onSecret: (secret: string) => void
}

/**
 * Data in a database that other servers use, too. The row of its state is the lock: commits have one order for all servers.
 * News is handed out once and in order, and has to be applied before anything else is awaited.
 */
export class PostgresStore implements Store {
  readonly #options: PostgresStoreOptions
  readonly #listener: Listener
  /** Tells this server from others. */
  readonly #sender = randomBytes(9).toString('base64url')
  readonly #followers = new Set<() => void>()
  /** The version that was handed out, or made, last. */
  #version: number
  #ledger: Ledger | undefined
  /** News is looked for by one at a time. */
  readonly #looks = new Turns()
  /** Resolves once it is known whether a COMMIT of ours was done. */
  #committing: Promise<unknown> = Promise.resolve()
  /** The look that was sent, and the one that those wait for who came later. */
  #look: Promise<unknown> = Promise.resolve()
  #nextLook: Promise<News | undefined> | undefined

  constructor(options: PostgresStoreOptions) {
    const { connections, tables, version } = options
    this.#options = options
    this.#version = version
    this.#listener = new Listener({
      connections,
      channel: tables.channel,
      onNotification: (sender) => sender !== this.#sender && this.#tell(),
      pulse: `SELECT version FROM ${tables.state}`,
      onPulse: ([state]) => Number(state?.version) !== this.#version && this.#tell(),
      onReturn: () => this.#tell(),
    })
  }

  /** Listens, and from then on knows when the database is away. */
  async start(): Promise<void> {
    await this.#listener.start()
    this.#options.connections.gate = () => this.#listener.ready()
  }

  async commit(change: (news: News | undefined) => Promise<Next | undefined>): Promise<void> {
    for (let tries = 1; ; tries++) {
      let isBegun = false
      const begin = (news: News | undefined) => {
        isBegun = true
        return change(news)
      }
      try {
        await this.#options.connections.inTransaction('write', (sql) => this.#commit(sql, begin))
        return
      } catch (error) {
        // A connection may have been lost while nobody used it.
        const isWorthATry = isConflict(error) || (!isBegun && isLost(error))
        if (!isWorthATry || tries === MOST_TRIES) throw error
        // Two transactions that met do not meet again in step.
        await sleep(Math.random() * 10 * tries)
      }
    }
  }

  news(): Promise<News | undefined> {
    return this.#inTurn(() => this.#lookForNews())
  }

  newsToRead(): Promise<News | undefined> | undefined {
    if (!this.#options.isExact) {
      return this.#listener.isListening ? undefined : this.#listener.ready().then(() => undefined)
    }
    // Whoever comes first is given what is new, and the others go on after that.
    if (this.#nextLook) return this.#nextLook.then(() => undefined)
    const look = this.#look.then(() => {
      this.#nextLook = undefined
      return this.news()
    })
    this.#nextLook = look
    this.#look = look.catch(() => {})
    return look
  }

  follow(changed: () => void): () => void {
    const follower = () => changed()
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  check(): Promise<void> {
    return this.#listener.check()
  }

  async close(): Promise<void> {
    // Idle connections keep no process alive: one that waits for their end would end first.
    const alive = setInterval(() => {}, 60_000)
    try {
      await this.#listener.close()
      await this.#options.connections.close()
    } finally {
      clearInterval(alive)
    }
  }

  #tell(): void {
    for (const changed of this.#followers) changed()
  }

  async #commit(sql: Sql, change: (news: News | undefined) => Promise<Next | undefined>): Promise<void> {
    const { tables } = this.#options
    const [[state], parts] = await Promise.all([
      sql.query<{ version: string }>(`SELECT version FROM ${tables.state} FOR UPDATE`),
      sql.query<{ part: number; place: number; name: string }>(
        `SELECT part, place, name FROM ${tables.parts} WHERE content = ${CURRENT} ORDER BY place`,
      ),
    ])
    const version = Number(state?.version)
    const next = await change(
      await this.#inTurn(async () => (version === this.#version ? undefined : this.#readNews(sql, version))),
    )
    const last = next?.commits.at(-1)
    if (!next || !last) return
    const ledger = this.#ledger?.version === version ? this.#ledger : await Ledger.read(sql, tables)
    // Unless it is committed, it is read again.
    this.#ledger = undefined
    const stored = parts.map((part) => ({ ...part, name: JSON.parse(part.name) }))
    await saveChanges(sql, tables, stored, next)
    if (next.commits.some(({ isOutside }) => isOutside)) {
      removeContent(sql, tables, ORIGIN)
      copyContent(sql, tables, CURRENT, ORIGIN)
    }
    const token = randomBytes(12).toString('base64url')
    await logCommits(sql, tables, ledger, next.commits, { token, sender: this.#sender })
    const done = finish(sql, () => this.#isDone(last.version, token))
    this.#committing = done.catch(() => {})
    await done
    this.#ledger = ledger
    this.#version = last.version
  }

  /** Under the lock: a transaction that is still being committed, or undone, has it. Undefined if that is not known anymore. */
  #isDone(version: number, token: string): Promise<boolean | undefined> {
    const { connections, tables } = this.#options
    const look = async (sql: Sql) => {
      await sql.query(`SELECT 1 FROM ${tables.state} FOR UPDATE`)
      const [found] = await sql.query<{ base: string; token: string | null }>(
        `SELECT s.base, c.token FROM ${tables.state} s LEFT JOIN ${tables.commits} c ON c.version = $1`,
        [version],
      )
      if (found?.token) return found.token === token
      return Number(found?.base) < version ? false : undefined
    }
    return connections.inTransaction('read', look, undefined, async () => {})
  }

  async #lookForNews(): Promise<News | undefined> {
    const { connections, tables } = this.#options
    const before = this.#version
    const [state] = await connections.ask<{ version: string }>('read', `SELECT version FROM ${tables.state}`)
    const version = Number(state?.version)
    if (version === this.#version) return undefined
    // What is newer may be our own.
    await this.#committing
    if (version === this.#version || (version < this.#version && version >= before)) return undefined
    return connections.inSnapshot('read', (sql) => this.#readNews(sql))
  }

  /** @param upTo the version that the transaction sees, if it is known */
  async #readNews(sql: Sql, upTo?: number): Promise<News> {
    const { tables, onSecret } = this.#options
    const version = upTo ?? (await this.#readVersion(sql))
    const commits =
      version > this.#version ? await readCommits(sql, tables, this.#version, version) : undefined
    if (commits) {
      for (const { version, top, bytes } of commits) this.#ledger?.add({ version, top, bytes })
      this.#ledger?.takeForgotten()
      this.#version = version
      return { kind: 'commits', commits }
    }
    const { secret, version: _, ...past } = await readPast(sql, tables)
    const data = await readContent(sql, tables, CURRENT)
    onSecret(secret)
    this.#ledger = undefined
    this.#version = version
    return { kind: 'content', data, past }
  }

  async #readVersion(sql: Sql): Promise<number> {
    const [state] = await sql.query<{ version: string }>(`SELECT version FROM ${this.#options.tables.state}`)
    return Number(state?.version)
  }

  /** The next one starts once what this one found was applied. */
  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    const found = this.#looks.take(look)
    this.#looks.take(() => nextTurn())
    return found
  }
}
