import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { isLost, isUnavailable, unavailable } from './failures.ts'

/** Rejects, soon, if the database is known to be unreachable. */
export type Gate = () => Promise<void>

/** A connection, opened on demand and reopened after it broke. Jobs use it in turn. */
export class Connection {
  readonly #makeClient: () => Promise<pg.Client>
  readonly #gate: Gate
  readonly #turns = new Turns()
  #client: pg.Client | undefined

  constructor(makeClient: () => Promise<pg.Client>, gate: Gate) {
    this.#makeClient = makeClient
    this.#gate = gate
  }

  /**
   * @param gate awaited before a job queues, as one that passes none may be trying to connect, and when its turn comes, so that
   *   queued jobs do not each try a lost database
   */
  async run<T>(job: (client: pg.Client) => Promise<T>, gate = this.#gate): Promise<T> {
    await gate()
    return this.#turns.take(async () => {
      await gate()
      try {
        const client = this.#client ?? (await this.#connect())
        keepAlive(client, true)
        return await job(client)
      } catch (error) {
        if (isLost(error)) {
          // It may not have emitted `end` yet: the next job opens another.
          this.#client?.connection.stream.destroy()
          this.#client = undefined
        }
        throw isUnavailable(error) ? unavailable(error) : error
      } finally {
        if (this.#client) keepAlive(this.#client, false)
      }
    })
  }

  async end(): Promise<void> {
    await this.#turns.idle()
    if (!this.#client) return
    keepAlive(this.#client, true)
    await this.#client.end()
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#makeClient()
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    this.#client = client
    return client
  }
}

/** Whether the connection keeps the process alive. Missing in the driver's types. */
export function keepAlive(client: pg.Client, isWanted: boolean): void {
  const method: unknown = Reflect.get(client, isWanted ? 'ref' : 'unref')
  if (typeof method === 'function') method.call(client)
}

export type SqlRow = Record<string, unknown>

export type SqlValues = readonly unknown[]

/** How long to find out about a commit whose response got lost, in milliseconds: in all, and at least. */
const MOST_MS = 4500
const LEAST_MS = 700

/** On a pipelined connection: statements do not wait for each other. `end` rolls back what was not committed. */
export class SqlTransaction {
  readonly #client: pg.Client
  readonly #sent: Promise<unknown>[] = []
  /** The first failure. After it, the server refuses all statements without a reason. */
  #failure: unknown
  #isCommitted = false

  constructor(client: pg.Client, begin = 'BEGIN ISOLATION LEVEL READ COMMITTED') {
    this.#client = client
    this.send(begin)
  }

  async query<R extends SqlRow>(text: string, values?: SqlValues): Promise<readonly R[]> {
    const result = this.#run<R>(text, values)
    await this.flush()
    return (await result).rows
  }

  /** Does not wait. If it fails, the next `query` or `flush` rejects. */
  send(text: string, values?: SqlValues): void {
    this.#sent.push(this.#run(text, values))
  }

  async flush(left = 0): Promise<void> {
    while (this.#sent.length > left) await this.#sent.shift()
  }

  /** @param isDone checks on another connection, if this one breaks; undefined if that cannot be known anymore */
  async commit(isDone: () => Promise<boolean | undefined>): Promise<void> {
    const start = performance.now()
    try {
      // After a failure, the server makes it a ROLLBACK, and that failure is thrown.
      await this.query('COMMIT')
    } catch (error) {
      if (!isLost(error)) throw error
      const isCommitted = await pollUntil(isDone, Math.max(start + MOST_MS, performance.now() + LEAST_MS))
      if (isCommitted === undefined) throw new StorageError('SOURCE_UNAVAILABLE', UNKNOWN, { cause: error })
      if (!isCommitted) throw unavailable(error)
    }
    this.#isCommitted = true
  }

  end(): void {
    if (!this.#isCommitted) this.#client.query('ROLLBACK').catch(() => {})
  }

  #run<R extends SqlRow>(text: string, values?: SqlValues): Promise<pg.QueryResult<R>> {
    const result = this.#client.query<R>(text, values?.slice()).catch((error: unknown) => {
      this.#failure ??= error
      throw this.#failure
    })
    result.catch(() => {})
    return result
  }
}

const UNKNOWN =
  'The database went away while the change was being saved, and cannot be asked whether it was. Read it before you send it again.'

async function pollUntil(
  isDone: () => Promise<boolean | undefined>,
  end: number,
): Promise<boolean | undefined> {
  const tooLate = sleep(end - performance.now(), undefined, { ref: false })
  while (performance.now() < end) {
    try {
      return await Promise.race([isDone(), tooLate])
    } catch {
      await sleep(50)
    }
  }
  return undefined
}
