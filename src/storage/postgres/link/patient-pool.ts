import type pg from 'pg'
import type { Fields } from './sql.ts'
import { ASK_AGAIN_MS, isFull, isLost, isUnavailable, unavailable } from './unavailable.ts'

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

  /** @param pool which nobody else uses */
  constructor(pool: pg.Pool, max: number) {
    this.#pool = pool
    this.#free = max
    pool.on('release', () => this.#leave())
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((enter, fail) => this.#waiting.push({ enter, fail }))
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        // One of ours will do, now or as soon as it is free.
        if (!isFull(error) || this.#pool.totalCount === 0) this.#refuse(error)
        if (this.#pool.idleCount === 0) await this.#waitAgain()
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

  /** Before those that came later. The connection that it did not get is asked for again after a while. */
  #waitAgain(): Promise<void> {
    setTimeout(() => this.#leave(), ASK_AGAIN_MS).unref()
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
