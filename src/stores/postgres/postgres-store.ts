import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitOptions, ForeignCommits, PrepareCommit, Store } from '../../core/engine/data/store.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { logCommits, readCommits, readHistory, readState } from './commit-log.ts'
import type { SqlTransaction } from './connection.ts'
import type { Connections } from './connections.ts'
import { isConflict, isLost } from './failures.ts'
import { Listener } from './listener.ts'
import { CURRENT, ORIGIN, readContent } from './read-content.ts'
import type { Shared } from './shared.ts'
import { copyCurrent, removeContent, saveChanges } from './write-content.ts'

const MOST_TRIES = 8
const LOCK_MS = 200

export interface PostgresStoreOptions {
  readonly connections: Connections
  readonly version: number
  readonly shared: Shared
}

/** Data in a database that several servers use. The row in `state` is the lock, so commits have one order for all. */
export class PostgresStore implements Store {
  readonly #options: PostgresStoreOptions
  readonly #listener: Listener
  readonly #sender = randomBytes(9).toString('base64url')
  readonly #followers = new Set<() => void>()
  #version: number
  /** Checks run one at a time: reads that arrive before a check is sent share it. */
  readonly #check = new Turns().shared(async () => {
    const since = this.#version
    const [state] = await this.#options.connections.query<State>('read', 'SELECT version FROM state')
    return Number(state?.version) !== since
  })

  constructor(options: PostgresStoreOptions) {
    const { connections, version } = options
    this.#options = options
    this.#version = version
    this.#listener = new Listener({
      connections,
      onNotification: (sender) => sender !== this.#sender && this.#emit(),
      heartbeat: 'SELECT version FROM state',
      onHeartbeat: ([state]) => Number(state?.version) !== this.#version && this.#emit(),
      onReconnect: () => this.#emit(),
    })
  }

  async start(): Promise<void> {
    await this.#listener.start()
    this.#options.connections.useGate(() => this.#listener.ready())
  }

  async commit(change: PrepareCommit, { since }: CommitOptions): Promise<void> {
    for (let tries = 1; ; tries++) {
      let hasStarted = false
      const run: PrepareCommit = (news) => {
        hasStarted = true
        return change(news)
      }
      try {
        await this.#options.connections.inTransaction('write', (sql) => this.#commit(sql, run, since()))
        return
      } catch (error) {
        // An idle connection may have been lost.
        const mayRetry = isConflict(error) || (!hasStarted && isLost(error))
        if (!mayRetry || tries === MOST_TRIES) throw error
        // At random, so that two transactions do not collide again.
        await sleep(Math.random() * 10 * tries)
      }
    }
  }

  async news(since: number): Promise<ForeignCommits | undefined> {
    this.#version = since
    return this.#options.connections.inSnapshot('read', (sql) => this.#readNews(sql, since))
  }

  hasNews(since: number): Promise<boolean> {
    this.#version = since
    return this.#check()
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
    // Idle connections do not keep the process alive, so it might end before they are closed.
    const alive = setInterval(() => {}, 60_000)
    try {
      await Promise.all([this.#listener.close(), this.#options.connections.close()])
    } finally {
      clearInterval(alive)
    }
  }

  #emit(): void {
    for (const changed of this.#followers) changed()
  }

  async #commit(sql: SqlTransaction, change: PrepareCommit, since: number): Promise<void> {
    const [[state], parts] = await Promise.all([
      sql.query<State>('SELECT version FROM state FOR UPDATE'),
      sql.query<{ part: number; place: number; name: string }>(
        `SELECT part, place, name FROM parts WHERE content = ${CURRENT} ORDER BY place`,
      ),
    ])
    const version = Number(state?.version)
    const next = await change(version === since ? undefined : await this.#readNews(sql, since))
    const last = next?.commits.at(-1)
    if (!next || !last) return
    const stored = parts.map((part) => ({ ...part, name: JSON.parse(part.name) }))
    await saveChanges(sql, stored, next)
    if (next.commits.some(({ isOutside }) => isOutside)) {
      removeContent(sql, ORIGIN)
      copyCurrent(sql, ORIGIN)
    }
    const token = randomBytes(12).toString('base64url')
    await logCommits(sql, next, { token, sender: this.#sender })
    await sql.commit(() => this.#isDone(last.version, token))
    this.#version = last.version
  }

  /** Under the lock, to await a commit or rollback in progress. Undefined if it is too late to know. */
  #isDone(version: number, token: string): Promise<boolean | undefined> {
    const find = async (sql: SqlTransaction) => {
      // The database may not know yet that the connection broke. Reads use this one, too, so it must not wait long.
      sql.send(`SET LOCAL lock_timeout = ${LOCK_MS}`)
      await sql.query('SELECT 1 FROM state FOR UPDATE')
      const text = 'SELECT s.base, c.token FROM state s LEFT JOIN commits c ON c.version = $1'
      const [row] = await sql.query<{ base: string; token: string | null }>(text, [version])
      if (row?.token) return row.token === token
      return Number(row?.base) < version ? false : undefined
    }
    return this.#options.connections.inTransaction('read', find, undefined, async () => {})
  }

  async #readNews(sql: SqlTransaction, since: number): Promise<ForeignCommits | undefined> {
    const { version, secret, ...start } = await readState(sql)
    if (version === since) return undefined
    const commits = version > since ? await readCommits(sql, since, version) : undefined
    if (commits) return { kind: 'commits', commits }
    this.#options.shared.secret = secret
    const past = { ...start, commits: await readHistory(sql) }
    return { kind: 'content', data: await readContent(sql, CURRENT), version, past }
  }
}

type State = { version: string }
