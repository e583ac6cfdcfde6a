import type pg from 'pg'
import type { Fields } from './sql.ts'
import { isFull, isLost, isUnavailable, unavailable } from './unavailable.ts'

/** How long to do with the connections that are there, once the database gave no other, in milliseconds. */
const CONTENT_MS = 1000

interface Waiting {
  readonly enter: () => void
  readonly fail: (error: unknown) => void
}

/**
 * A few connections, for which one waits as long as it takes: a busy server is not a lost one. The driver's pool alone
 * would take a long wait for a connection that cannot be made.
 */
export class PatientPool {
  readonly #pool: pg.Pool
  readonly #waiting: Waiting[] = []
  #free: number
  #used = 0

  /** @param pool which nobody else uses */
  constructor(pool: pg.Pool, max: number) {
    this.#pool = pool
    this.#free = max
    pool.on('release', () => {
      this.#used--
      this.#leave()
    })
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((enter, fail) => this.#waiting.push({ enter, fail }))
    for (;;) {
      try {
        const client = await this.#pool.connect()
        this.#used++
        return client
      } catch (error) {
        // One of ours will do, as soon as it is free.
        if (isFull(error) && this.#used > 0) await this.#waitAgain()
        else this.#refuse(error)
      }
    }
  }

  /**
   * Runs one statement.
   * @param signal ends the wait for it, and its connection; the database goes on with it by itself
   */
  async query<R extends Fields>(
    text: string,
    values?: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly R[]> {
    const client = await this.connect()
    const giveUp = () => client.connection.stream.destroy()
    signal?.addEventListener('abort', giveUp)
    try {
      signal?.throwIfAborted()
      const { rows } = await client.query<R>(text, values?.slice())
      client.release()
      return rows
    } catch (error) {
      client.release(true)
      throw isUnavailable(error) ? unavailable(error) : error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  /** First in line. What it would have taken is tried again after a while, by the one that is first then. */
  #waitAgain(): Promise<void> {
    setTimeout(() => this.#leave(), CONTENT_MS).unref()
    return new Promise<void>((enter, fail) => this.#waiting.unshift({ enter, fail }))
  }

  #refuse(error: unknown): never {
    const told = isUnavailable(error) ? unavailable(error) : error
    // The others would find out the same, one after the other.
    if (isLost(error)) for (const { fail } of this.#waiting.splice(0)) fail(told)
    this.#leave()
    throw told
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.enter()
    else this.#free++
  }
}
