import type pg from 'pg'
import { Turns } from '../../util/turns.ts'
import { isLost, isUnavailable, unavailable } from './unavailable.ts'

/** Rejects, soon, if it is known that the database cannot be reached. */
export type Gate = () => Promise<void>

/** One connection, made when it is needed, and again after it broke. Jobs use it in turn. */
export class Line {
  readonly #makeClient: () => Promise<pg.Client>
  readonly #gate: Gate
  readonly #turns = new Turns()
  #client: pg.Client | undefined

  constructor(makeClient: () => Promise<pg.Client>, gate: Gate) {
    this.#makeClient = makeClient
    this.#gate = gate
  }

  /** @param gate asked when it is this job's turn: those that queue for a database that is away do not try one by one */
  run<T>(job: (client: pg.Client) => Promise<T>, gate = this.#gate): Promise<T> {
    return this.#turns.take(async () => {
      await gate()
      try {
        const client = this.#client ?? (await this.#connect())
        keepAlive(client, true)
        return await job(client)
      } catch (error) {
        if (isLost(error)) {
          // It may not have said so yet: the next job makes another.
          this.#client?.connection.stream.destroy()
          this.#client = undefined
        }
        throw isUnavailable(error) ? unavailable(error) : error
      } finally {
        // A process that has nothing else to do may end.
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

/** Whether the process stays for a connection. The types do not know these two. */
export function keepAlive(client: pg.Client, isWanted: boolean): void {
  const method: unknown = Reflect.get(client, isWanted ? 'ref' : 'unref')
  if (typeof method === 'function') method.call(client)
}
