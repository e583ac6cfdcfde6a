import { OwnBytes } from '../../storage/data/own-bytes.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { Feed } from '../../util/feed.ts'

export class Session {
  readonly name: string
  readonly engine: Engine
  /** Hears its requests and changes, and nobody else's. */
  readonly feed = new Feed()
  readonly createdAt = new Date()
  usedAt: number
  /** How many requests in it are not over. */
  inFlight = 0
  /** What else is counted, in bytes, beside the rows of its own. */
  readonly costs: (() => number)[]
  readonly #endings: (() => void)[] = []
  readonly #rows: OwnBytes

  constructor(name: string, engine: Engine, usedAt: number) {
    this.name = name
    this.engine = engine
    this.usedAt = usedAt
    this.#rows = new OwnBytes(engine.database)
    this.costs = [() => engine.history.bytes]
  }

  get bytes(): number {
    return this.costs.reduce((sum, cost) => sum + cost(), this.rowBytes)
  }

  /** The rows that it does not share with the data that it is a copy of. */
  get rowBytes(): number {
    return this.#rows.of(this.engine.database)
  }

  onEnd(ending: () => void): void {
    this.#endings.push(ending)
  }

  end(): void {
    this.feed.close()
    for (const ending of this.#endings) ending()
  }
}
