import type { Request } from 'express'
import { sessionOf } from '../../http/session-of.ts'
import { Lru } from '../../lru.ts'

/**
 * Something that every session has of its own, such as a clock, made when a request first needs it. That may be before
 * the guards let the session open, so the ones of sessions that never open are dropped when there are too many.
 */
export class PerSession<T> {
  readonly #base: T
  readonly #make: () => T
  readonly #own: Lru<string, T>

  /** @param most how many to keep */
  constructor(base: T, make: () => T, most: number) {
    this.#base = base
    this.#make = make
    this.#own = new Lru({ limit: most, sizeOf: () => 1 })
  }

  of(req: Request): T {
    const name = sessionOf(req)
    return name ? this.named(name) : this.#base
  }

  named(name: string): T {
    const known = this.#own.get(name)
    if (known !== undefined) return known
    const made = this.#make()
    this.#own.set(name, made)
    return made
  }

  /** A later session of that name starts with another. */
  end(name: string): void {
    this.#own.delete(name)
  }
}
