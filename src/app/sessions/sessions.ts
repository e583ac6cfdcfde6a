import type { Engine } from '../../storage/engine/engine.ts'
import { isSessionName } from './read-session.ts'
import { Session } from './session.ts'

export interface SessionLimits {
  readonly max: number
  /** Milliseconds after its last request, a session ends. */
  readonly idleMs: number
  readonly bytes: number
}

export const SESSION_LIMITS: SessionLimits = { max: 1000, idleMs: 30 * 60_000, bytes: 256 * 1024 * 1024 }

/** A session that was used in the last minute is not ended to make room for another. */
const IN_USE = 60_000

export interface SessionsOptions {
  /** Copies the data as it is now. Its history starts at this version. */
  readonly fork: (start: number) => Engine
  /** Takes over what others wrote, before the data is copied. */
  readonly catchUp?: (() => Promise<void> | undefined) | undefined
  readonly limits: () => SessionLimits
  readonly onOpen?: ((session: Session) => void) | undefined
  /** The time in milliseconds. Of its own: the server's clock may be set. */
  readonly now?: () => number
}

/** The sessions of a server: each is opened by its first request, and ends when it is idle for long. */
export class Sessions {
  readonly #options: SessionsOptions
  /** Longest idle first, apart from those with requests in flight. */
  readonly #sessions = new Map<string, Session>()
  /** As of the last commit, or the last use. */
  readonly #weights = new Map<Session, number>()
  #total = 0
  /** The highest version in one that has ended. */
  #lastVersion = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The session of this name, a new one if there is none; undefined if there is no room for it. */
  open(name: string): Session | undefined {
    this.endIdle()
    const known = this.#sessions.get(name)
    if (known) {
      this.#touch(known)
      // Where others hold the rows, as `req.db` gives them, nothing tells of every change.
      this.#weigh(known)
      return known
    }
    return this.hasRoom(true) ? this.#add(name) : undefined
  }

  /** Call before a session is opened, and wait if there is anything to wait for. */
  catchUp(): Promise<void> | undefined {
    return this.#options.catchUp?.()
  }

  /** The session of this name, if there is one. Does not count as a use. */
  peek(name: string): Session | undefined {
    return this.#sessions.get(name)
  }

  /** Whether there is room, for another session too. Those idle the longest are ended to make it, unless in use. */
  hasRoom(isForAnother = false): boolean {
    const { max, bytes } = this.#options.limits()
    for (;;) {
      const count = this.#sessions.size + Number(isForAnother)
      if (count <= max && this.#total <= bytes) return true
      const oldest = this.#longestIdle()
      if (!oldest || this.idleOf(oldest) < IN_USE) return false
      this.#end(oldest)
    }
  }

  /** Call when something of a session other than its rows has changed. */
  weigh(name: string): void {
    const session = this.#sessions.get(name)
    if (session) this.#weigh(session)
  }

  /** Most recently used first. */
  list(): readonly Session[] {
    this.endIdle()
    return [...this.#sessions.values()].reverse()
  }

  /** Puts its data back to what it was a copy of, if it is open. False if there can be none of that name. */
  async reset(name: string): Promise<boolean> {
    await this.#sessions.get(name)?.engine.reset()
    return isSessionName(name)
  }

  /** False if there is none of that name. */
  end(name: string): boolean {
    const session = this.#sessions.get(name)
    if (session) this.#end(session)
    return session !== undefined
  }

  endAll(): void {
    for (const session of this.#sessions.values()) this.#end(session)
  }

  /** A request in it has begun, and may be a stream that stays open. Returns what to call when it is over. */
  hold(session: Session): () => void {
    session.inFlight += 1
    return () => {
      session.inFlight -= 1
      if (this.#sessions.get(session.name) === session) this.#touch(session)
    }
  }

  /** Ends those that have been idle for long. */
  endIdle(): void {
    for (;;) {
      const oldest = this.#longestIdle()
      if (!oldest || this.idleOf(oldest) < this.#options.limits().idleMs) return
      this.#end(oldest)
    }
  }

  /** Milliseconds since its last request was over. */
  idleOf({ usedAt, inFlight }: Session): number {
    return inFlight > 0 ? 0 : Math.max(0, Math.round(this.#now() - usedAt))
  }

  #add(name: string): Session {
    // Beyond any before it: who followed one of this name that has ended is told so, not what this one did.
    const engine = this.#options.fork(Math.max(Date.now(), this.#lastVersion + 1))
    const session = new Session(name, engine, this.#now())
    this.#sessions.set(name, session)
    this.#weigh(session)
    engine.subscribe(() => this.#weigh(session))
    this.#options.onOpen?.(session)
    this.#timer ??= setInterval(() => this.endIdle(), IN_USE).unref()
    return session
  }

  #touch(session: Session): void {
    session.usedAt = this.#now()
    this.#sessions.delete(session.name)
    this.#sessions.set(session.name, session)
  }

  #weigh(session: Session): void {
    if (this.#sessions.get(session.name) !== session) return
    const { bytes } = session
    this.#total += bytes - (this.#weights.get(session) ?? 0)
    this.#weights.set(session, bytes)
  }

  #longestIdle(): Session | undefined {
    for (const session of this.#sessions.values()) if (session.inFlight === 0) return session
    return undefined
  }

  #end(session: Session): void {
    this.#sessions.delete(session.name)
    this.#total -= this.#weights.get(session) ?? 0
    this.#weights.delete(session)
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
