import type pg from 'pg'
import type { Fields, Statement } from './sql.ts'

/** Connections that are open together. */
const MOST_LINES = 3

/** Statements that one connection remembers. Each new table brings some, and none is ever forgotten. */
const MOST_NAMES = 200

/**
 * Connections that short statements share: each is sent without waiting for the others, which takes a third of the time
 * that a pool takes to hand connections out.
 */
export class Pipelines {
  readonly #newClient: () => pg.Client
  readonly #lines = new Set<Line>()

  constructor(newClient: () => pg.Client) {
    this.#newClient = newClient
  }

  ask<R extends Fields>(statement: Statement): Promise<readonly R[]> {
    return this.#quietest().ask<R>(statement)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.end()))
  }

  /** Whatever waits behind a slow statement has waited long enough for others to be done. */
  #quietest(): Line {
    let best: Line | undefined
    for (const line of this.#lines) {
      if (line.isOver) this.#lines.delete(line)
      else if (!best || line.waiting < best.waiting) best = line
    }
    if (best && (best.waiting === 0 || this.#lines.size >= MOST_LINES)) return best
    const line = new Line(this.#newClient())
    this.#lines.add(line)
    return line
  }
}

/** One connection. */
class Line {
  readonly #client: pg.Client
  readonly #ready: Promise<unknown>
  readonly #names = new Set<string>()
  #isLost = false
  waiting = 0

  constructor(client: pg.Client) {
    this.#client = client
    client.on('error', () => {})
    client.once('end', () => {
      this.#isLost = true
    })
    this.#ready = client.connect()
    this.#ready.catch(() => {
      this.#isLost = true
    })
  }

  /** Whether nothing more may be asked. */
  get isOver(): boolean {
    return this.#isLost || this.#names.size > MOST_NAMES
  }

  async ask<R extends Fields>({ text, values, name }: Statement): Promise<readonly R[]> {
    if (name !== undefined) this.#names.add(name)
    if (this.waiting++ === 0) keepAlive(this.#client, true)
    try {
      await this.#ready
      const asked = { text, values: values?.slice(), ...(name !== undefined && { name }) }
      return (await this.#client.query<R>(asked)).rows
    } finally {
      // A process that has nothing else to do may end.
      if (--this.waiting === 0) keepAlive(this.#client, false)
      if (this.waiting === 0 && this.isOver) void this.end()
    }
  }

  async end(): Promise<void> {
    if (this.#isLost) return
    this.#isLost = true
    keepAlive(this.#client, true)
    await this.#ready.then(
      () => this.#client.end(),
      () => {},
    )
  }
}

/** Whether the process stays for it. The types do not know these two. */
export function keepAlive(client: pg.Client, isWanted: boolean): void {
  const name = isWanted ? 'ref' : 'unref'
  const method: unknown = Reflect.get(client, name)
  if (typeof method === 'function') method.call(client)
}
