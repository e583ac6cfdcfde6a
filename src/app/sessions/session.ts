import { Feed } from '../../feed.ts'
import type { Fork } from '../../storage/engine.ts'

/** What a session has of its own. Whatever else a session is to have (a history, faults, a clock) belongs here. */
export class Session {
  readonly name: string
  /** Its copy of the data. */
  readonly engine: Fork
  /** Hears its requests and changes, and nobody else's. */
  readonly feed = new Feed()
  readonly createdAt = new Date()
  /** By the clock of `Sessions`. */
  usedAt: number
  /** What else is counted, in bytes, beside the rows of its own. */
  readonly costs: (() => number)[] = []
  readonly #endings: (() => void)[] = []

  constructor(name: string, engine: Fork, usedAt: number) {
    this.name = name
    this.engine = engine
    this.usedAt = usedAt
  }

  /** The memory that it takes, estimated. */
  get bytes(): number {
    return this.costs.reduce((sum, cost) => sum + cost(), this.engine.bytes)
  }

  /** Calls the function when the session ends. */
  onEnd(ending: () => void): void {
    this.#endings.push(ending)
  }

  end(): void {
    this.feed.close()
    for (const ending of this.#endings) ending()
  }
}
