import type { RequestHandler } from 'express'
import type { Engine } from '../core/engine/engine.ts'

const PATIENCE_MS = 30_000

interface Use {
  requests: number
  onIdle?: () => void
  closed?: Promise<void>
}

/** The engines that a service has opened. Each is closed when it is no longer served and its requests are over. */
export class EngineLifetimes {
  readonly #uses = new Map<Engine, Use>()
  #isClosed = false

  add(engine: Engine): void {
    this.#uses.set(engine, { requests: 0 })
  }

  /** The first handler of requests: each uses the engine until its response is closed. */
  count(engine: Engine): RequestHandler {
    const use = this.#uses.get(engine) ?? { requests: 0 }
    return function count(_req, res, next) {
      use.requests++
      res.once('close', () => {
        if (--use.requests === 0) use.onIdle?.()
      })
      next()
    }
  }

  keepOnly(engine: Engine): void {
    for (const [other, use] of this.#uses) {
      // A reload may end after the server did.
      if (other !== engine || this.#isClosed) use.closed ??= this.#close(other, use).catch(() => {})
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const ends = [...this.#uses].map(([engine, use]) => {
      use.requests = 0
      use.onIdle?.()
      use.closed ??= this.#close(engine, use)
      return use.closed
    })
    await Promise.all(ends)
  }

  async #close(engine: Engine, use: Use): Promise<void> {
    await idle(use)
    try {
      await engine.close()
    } finally {
      this.#uses.delete(engine)
    }
  }
}

function idle(use: Use): Promise<void> {
  if (use.requests === 0) return Promise.resolve()
  return new Promise((resolve) => {
    use.onIdle = resolve
    setTimeout(resolve, PATIENCE_MS).unref()
  })
}
