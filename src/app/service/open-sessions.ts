import { randomUUID } from 'node:crypto'
import type { Request } from 'express'
import { sessionNames } from '../../http/request-context.ts'
import type { FaultRules } from '../../layers/parts/fault-rules.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Clock } from '../../util/clock.ts'
import { Lru } from '../../util/lru.ts'
import type { Config } from '../config/config.ts'
import { SESSION_LIMITS } from '../config/object-settings-schema.ts'
import { emitChanges } from './emit-changes.ts'
import { Sessions } from './sessions.ts'

interface Current {
  readonly config: Config
  readonly engine: Engine
  readonly faults: PerSession<FaultRules>
}

interface SessionsNeeds {
  readonly current: () => Current
  readonly clock: Clock
  readonly onOpen: (engine: Engine, clock: Clock) => void
  readonly onEnd: (engine: Engine) => void
}

/** The sessions of a service. Each has a clock, an id and fault rules of its own. */
export function openSessions({ current, clock: base, onOpen, onEnd }: SessionsNeeds) {
  const clocks = new PerSession(base, (clock) => clock.copy())
  // In tokens: a later session of the same name has another id.
  const ids = new PerSession('', () => randomUUID())
  const sessions = new Sessions({
    fork: (start) => current().engine.fork(start),
    catchUp: () => current().engine.catchUp(),
    limits: () => ({ ...SESSION_LIMITS, ...current().config.sessions }),
    onOpen(session) {
      const { name, engine } = session
      const clock = clocks.keep(name)
      ids.keep(name)
      current().faults.keep(name)
      onOpen(engine, clock)
      session.onEnd(() => {
        onEnd(engine)
        clocks.end(name)
        ids.end(name)
        current().faults.end(name)
      })
      engine.now = () => clock.now()
      emitChanges(engine, session.feed)
    },
  })
  return {
    sessions,
    clocks,
    sessionIdOf(req: Request): string {
      // An idle session that is due to end is not the one that the request will enter.
      sessions.endIdle()
      return ids.of(req)
    },
  }
}

const MOST_WAITING = 1000

/**
 * A value for each session, such as a clock, made when a request first needs it. That may be before the guards let the
 * session open, so values of sessions that never open are dropped when there are too many.
 */
export class PerSession<T> {
  /** Of requests without a session. */
  readonly base: T
  readonly #make: (base: T) => T
  readonly #open = new Map<string, T>()
  readonly #waiting = new Lru<string, T>({ limit: MOST_WAITING })

  constructor(base: T, make: (base: T) => T) {
    this.base = base
    this.#make = make
  }

  readonly of = (req: Request): T => {
    const name = sessionNames.get(req)
    return name ? this.named(name) : this.base
  }

  named(name: string): T {
    const present = this.#open.get(name) ?? this.#waiting.get(name)
    if (present !== undefined) return present
    const made = this.#make(this.base)
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
