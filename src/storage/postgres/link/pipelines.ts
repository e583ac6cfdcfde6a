import type pg from 'pg'
import { Lru } from '../../../lru.ts'
import type { Fields, Statement } from './sql.ts'
import { ASK_AGAIN_MS, isFull } from './unavailable.ts'

/** Connections that are open together. */
const MOST_LINES = 3

/** Statements that one connection remembers. Each new table brings some, and none is ever forgotten. */
const MOST_NAMES = 200

/** A statement that is asked so often is prepared, which takes half of the database's time off it. */
const OFTEN = 5

/**
 * Connections that short statements share: each is sent without waiting for the others, which takes a third of the time
 * that a pool takes to hand connections out.
 */
export class Pipelines {
  readonly #newClient: () => pg.Client
  readonly #lines = new Set<Line>()
  /** How often statements were asked. */
  readonly #known = new Lru<string, { readonly name: string; asked: number }>({ limit: MOST_NAMES })
  #names = 0
  /** When the database had no connection left. */
  #fullAt = Number.NEGATIVE_INFINITY

  constructor(newClient: () => pg.Client) {
    this.#newClient = newClient
  }

  ask<R extends Fields>({ text, values, isSteady }: Statement): Promise<readonly R[]> {
    const name = isSteady ? this.#nameFor(text) : undefined
    const asked = { text, values: values?.slice() ?? [], ...(name && { name }) }
    return this.#quietest()
      .ask<R>(asked)
      .catch((error: unknown) => {
        if (!isFull(error)) throw error
        this.#fullAt = performance.now()
        // It was not sent: a line that is open takes it, if there is one.
        return this.#quietest().ask<R>(asked)
      })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.end()))
  }

  #nameFor(text: string): string | undefined {
    const known = this.#known.get(text) ?? { name: `s${++this.#names}`, asked: 0 }
    if (known.asked++ === 0) this.#known.set(text, known)
    return known.asked > OFTEN ? known.name : undefined
  }

  /** Whatever waits behind a slow statement has waited long enough for others to be done. */
  #quietest(): Line {
    const wasFull = performance.now() - this.#fullAt < ASK_AGAIN_MS
    let best: Line | undefined
    for (const line of this.#lines) {
      if (line.isOver) this.#lines.delete(line)
      else if (wasFull && !line.isOpen) continue
      else if (!best || line.waiting < best.waiting) best = line
    }
    if (best && (best.waiting === 0 || this.#lines.size >= MOST_LINES || wasFull)) return best
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
  #isOpen = false
  waiting = 0

  constructor(client: pg.Client) {
    this.#client = client
    client.on('error', () => {})
    client.once('end', () => {
      this.#isLost = true
    })
    this.#ready = client.connect()
    this.#ready.then(
      () => {
        this.#isOpen = true
      },
      () => {
        this.#isLost = true
      },
    )
  }

  /** Whether the database has let it in. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether nothing more may be asked. */
  get isOver(): boolean {
    return this.#isLost || this.#names.size > MOST_NAMES
  }

  async ask<R extends Fields>(asked: pg.QueryConfig): Promise<readonly R[]> {
    if (asked.name !== undefined) this.#names.add(asked.name)
    if (this.waiting++ === 0) keepAlive(this.#client, true)
    try {
      await this.#ready
      return (await this.#client.query<R>(asked)).rows
    } finally {
      // A process that has nothing else to do may end.
      if (--this.waiting === 0) keepAlive(this.#client, false)
      if (this.waiting === 0 && this.isOver) this.end().catch(() => {})
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
