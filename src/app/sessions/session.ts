import { Feed } from '../../feed.ts'
import type { Fork } from '../../storage/engine.ts'
import { History } from '../../storage/history/history.ts'
import type { Served } from '../../storage/history/served-engine.ts'

/** What a session has of its own. */
export class Session implements Served {
  readonly name: string
  /** Its copy of the data. */
  readonly engine: Fork
  readonly history: History
  /** Hears its requests and changes, and nobody else's. */
  readonly feed = new Feed()
  readonly createdAt = new Date()
  /** By the clock of `Sessions`. */
  usedAt: number
  /** How many requests in it are not over. */
  inFlight = 0
  /** The time in it, in milliseconds since 1970. */
  now: () => number = Date.now
  /** What else is counted, in bytes, beside the rows of its own. */
  readonly costs: (() => number)[]
  readonly #endings: (() => void)[] = []

  /** @param start the version that its history starts at */
  constructor(name: string, engine: Fork, usedAt: number, start: number) {
    this.name = name
    this.engine = engine
    this.usedAt = usedAt
    this.history = new History(engine, { now: () => this.now(), start })
    this.costs = [() => this.history.bytes]
  }

  /** Goes back to what it was a copy of. */
  async reset(): Promise<void> {
    await this.engine.reset()
  }

  /** The memory that it takes, estimated. */
  get bytes(): number {
    return this.engine.bytes + this.otherBytes
  }

  /** What is not rows. Unlike those, it changes without a commit, and is quickly counted. */
  get otherBytes(): number {
    return this.costs.reduce((sum, cost) => sum + cost(), 0)
  }

  /** Calls the function when the session ends. */
  onEnd(ending: () => void): void {
    this.#endings.push(ending)
  }

  end(): void {
    this.history.close()
    this.feed.close()
    for (const ending of this.#endings) ending()
  }
}
