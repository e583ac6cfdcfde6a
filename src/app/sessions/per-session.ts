import type { Request } from 'express'
import { sessionOf } from '../../http/session-of.ts'
import { Lru } from '../../util/lru.ts'

/** Names that are no session yet, and may never be one. */
const MOST_WAITING = 1000

/**
 * Something that every session has of its own, such as a clock, made when a request first needs it. That may be before
 * the guards let the session open, so the ones of sessions that never open are dropped when there are too many.
 */
export class PerSession<T> {
  readonly #base: T
  readonly #make: () => T
  readonly #kept = new Map<string, T>()
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
    const known = this.#kept.get(name) ?? this.#waiting.get(name)
    if (known !== undefined) return known
    const made = this.#make()
    this.#waiting.set(name, made)
    return made
  }

  /** The session is open now: others no longer displace what it has. */
  keep(name: string): T {
    const own = this.named(name)
    this.#kept.set(name, own)
    this.#waiting.delete(name)
    return own
  }

  /** A later session of that name starts with another. */
  end(name: string): void {
    this.#kept.delete(name)
    this.#waiting.delete(name)
  }
}
