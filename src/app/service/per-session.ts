import type { Request } from 'express'
import { sessionOf } from '../../http/request-context.ts'
import { Lru } from '../../util/lru.ts'

const MOST_WAITING = 1000

/**
 * A value for each session, such as a clock, made when a request first needs it. That may be before the guards let the
 * session open, so values of sessions that never open are dropped when there are too many.
 */
export class PerSession<T> {
  readonly #base: T
  readonly #make: () => T
  readonly #open = new Map<string, T>()
  readonly #waiting = new Lru<string, T>({ limit: MOST_WAITING })

  constructor(base: T, make: () => T) {
    this.#base = base
    this.#make = make
  }

  readonly of = (req: Request): T => {
    const name = sessionOf(req)
    return name ? this.named(name) : this.#base
  }

  named(name: string): T {
    const present = this.#open.get(name) ?? this.#waiting.get(name)
    if (present !== undefined) return present
    const made = this.#make()
    this.#waiting.set(name, made)
    return made
  }

  /** Call when the session opens: its value is no longer dropped. */
  keep(name: string): T {
    const own = this.named(name)
    this.#open.set(name, own)
    this.#waiting.delete(name)
    return own
  }

  end(name: string): void {
    this.#open.delete(name)
    this.#waiting.delete(name)
  }
}
