import type { Connections } from './connections.ts'

const MOST = 100_000
const EVERY = 1000

/** Values that all servers of the same data share beside it: a random secret, and strings by name. */
export class Shared {
  secret: string
  readonly #connections: Connections
  #added = 0

  constructor(connections: Connections, secret: string) {
    this.#connections = connections
    this.secret = secret
  }

  async read(name: string): Promise<string | undefined> {
    const text = 'SELECT value FROM shared WHERE name = $1'
    const [row] = await this.#connections.query<{ value: string }>('shared', text, [name])
    return row?.value
  }

  async swap(name: string, before: string | undefined, after: string | undefined): Promise<boolean> {
    if (before === undefined) return after === undefined || this.#add(name, after)
    if (after === undefined) return this.#isDone(`DELETE FROM shared ${IF_UNCHANGED}`, [name, before])
    const text = `UPDATE shared SET value = $3, at = clock_timestamp() ${IF_UNCHANGED}`
    return this.#isDone(text, [name, before, after])
  }

  async #add(name: string, value: string): Promise<boolean> {
    if (this.#added++ % EVERY === 0) {
      const oldest = `SELECT at FROM shared ORDER BY at DESC OFFSET ${MOST} LIMIT 1`
      await this.#connections.queryOnce('shared', `DELETE FROM shared WHERE at < (${oldest})`)
    }
    const text = 'INSERT INTO shared (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1'
    return this.#isDone(text, [name, value])
  }

  async #isDone(text: string, values: readonly string[]): Promise<boolean> {
    return (await this.#connections.queryOnce('shared', text, values)).length > 0
  }
}

const IF_UNCHANGED = 'WHERE name = $1 AND value = $2 RETURNING 1'
