import { ConfigError } from '../../catalogue/error-classes.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { Feed } from '../../util/feed.ts'
import type { SESSION_LIMITS } from '../config/object-settings-schema.ts'

/** A session that was used in the last minute is not ended to make room for another. */
const IN_USE = 60_000

export interface SessionsOptions {
  /** Copies the data. The history of the copy starts at this version. */
  readonly fork: (start: number) => Engine
  readonly catchUp?: (() => Promise<void> | undefined) | undefined
  readonly limits: () => typeof SESSION_LIMITS
  readonly onOpen?: ((session: Session) => void) | undefined
  /** In milliseconds, independent of the server's clock, which may be set. */
  readonly now?: () => number
}

export function isSessionName(name: string): boolean {
  return /^[\w.-]{1,64}$/.test(name)
}

export function checkSessionName(name: string): void {
  if (isSessionName(name)) return
  throw new ConfigError(
    `session: ${JSON.stringify(name)} is not a name. Use 1 to 64 letters, digits, dots, hyphens and underscores.`,
  )
}

export class Session {
  readonly name: string
  readonly engine: Engine
  readonly feed = new Feed()
  readonly createdAt = new Date()
  usedAt: number
  inFlight = 0
  readonly #endings: (() => void)[] = []

  constructor(name: string, engine: Engine, usedAt: number) {
    this.name = name
    this.engine = engine
    this.usedAt = usedAt
  }

  onEnd(ending: () => void): void {
    this.#endings.push(ending)
  }

  end(): void {
    this.feed.close()
    for (const ending of this.#endings) ending()
  }
}

/** The sessions of a server: each is opened by its first request, and ends when it is idle for long. */
export class Sessions {
  /** Those that requests are in. A request that another server passed on may have entered one there. */
  readonly entered = new WeakMap<object, Session>()
  readonly #options: SessionsOptions
  /** Longest idle first, apart from those with requests in flight. */
  readonly #sessions = new Map<string, Session>()
  #lastVersion = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The session of this name, a new one if there is none; undefined if there is no room for it. */
  open(name: string): Session | undefined {
    this.endIdle()
    const session = this.#sessions.get(name)
    if (!session) return this.#makeRoom() ? this.#add(name) : undefined
    this.#touch(session)
    return session
  }

  /** What to wait for before the session of this name is opened. */
  ready(name: string): Promise<void> | undefined {
    return this.#sessions.has(name) ? undefined : this.#options.catchUp?.()
  }

  peek(name: string): Session | undefined {
    return this.#sessions.get(name)
  }

  list(): readonly Session[] {
    this.endIdle()
    return [...this.#sessions.values()].reverse()
  }

  /** Puts its data back to what it was a copy of, if it is open. False if there can be none of that name. */
  async reset(name: string): Promise<boolean> {
    await this.#sessions.get(name)?.engine.reset()
    return isSessionName(name)
  }

  end(name: string): boolean {
    const session = this.#sessions.get(name)
    if (session) this.#end(session)
    return session !== undefined
  }

  endAll(): void {
    for (const session of this.#sessions.values()) this.#end(session)
  }

  /** Counts a request, which may be a stream that stays open. Returns what to call when it is over. */
  hold(session: Session): () => void {
    session.inFlight += 1
    return () => {
      session.inFlight -= 1
      if (this.#sessions.get(session.name) === session) this.#touch(session)
    }
  }

  endIdle(): void {
    for (;;) {
      const oldest = this.#longestIdle()
      if (!oldest || this.idleOf(oldest) < this.#options.limits().idleMs) return
      this.#end(oldest)
    }
  }

  idleOf({ usedAt, inFlight }: Session): number {
    return inFlight > 0 ? 0 : Math.max(0, Math.round(this.#now() - usedAt))
  }

  #add(name: string): Session {
    // Higher than in any session before: a client that follows an earlier one of this name notices that it has ended.
    const engine = this.#options.fork(Math.max(Date.now(), this.#lastVersion + 1))
    const session = new Session(name, engine, this.#now())
    this.#sessions.set(name, session)
    this.#options.onOpen?.(session)
    this.#timer ??= setInterval(() => this.endIdle(), IN_USE).unref()
    return session
  }

  #touch(session: Session): void {
    session.usedAt = this.#now()
    this.#sessions.delete(session.name)
    this.#sessions.set(session.name, session)
  }

  /** Whether there is room for another session. Ends those that are idle the longest to make it. */
  #makeRoom(): boolean {
    while (this.#sessions.size >= this.#options.limits().max) {
      const oldest = this.#longestIdle()
      if (!oldest || this.idleOf(oldest) < IN_USE) return false
      this.#end(oldest)
    }
    return true
  }

  #longestIdle(): Session | undefined {
    for (const session of this.#sessions.values()) if (session.inFlight === 0) return session
    return undefined
  }

  #end(session: Session): void {
    this.#sessions.delete(session.name)
    this.#lastVersion = Math.max(this.#lastVersion, session.engine.history.version)
    if (this.#sessions.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    session.end()
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now()
  }
}
