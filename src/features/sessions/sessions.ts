import { randomUUID } from 'node:crypto'
import type { Engine } from '../../core/engine/engine.ts'
import { isWorldName, type WorldState } from '../../core/kernel/http/world.ts'
import { Feed } from '../../core/kernel/util/feed.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Lru } from '../../core/kernel/util/lru.ts'
import type { Beginning } from '../beginnings.ts'
import { ServedWorld } from '../served-world.ts'
import type { SESSION_LIMITS } from './settings.ts'

/** A session that was used in the last minute is not ended to make room for another. */
const IN_USE = 60_000

/** Sessions that were named and not opened yet: the oldest is dropped if there are too many. */
const MOST_WAITING = 1000

export interface SessionsOptions {
  readonly base: () => ServedWorld
  readonly limits: () => typeof SESSION_LIMITS
  readonly onOpen?: ((session: Session) => void) | undefined
  readonly onEnd?: ((session: Session) => void) | undefined
  /** In milliseconds, independent of the server's clock, which may be set. */
  readonly now?: () => number
}

/** A copy of the base. Its clock and the state of features are there when it is first named, its data once it is opened. */
export class Session extends ServedWorld {
  readonly name: string
  readonly id = randomUUID()
  readonly createdAt = new Date()
  usedAt = 0
  inFlight = 0
  readonly #base: () => ServedWorld
  #engine: Engine | undefined
  readonly #states = new WeakMap<object, object>()
  readonly #endings: (() => void)[] = []

  /** @param base the current one */
  constructor(name: string, base: () => ServedWorld, beginning?: Beginning) {
    super(base().clock.copy(), new Feed(), beginning)
    this.name = name
    this.#base = base
    beginning?.turn(this.clock)
  }

  get base(): ServedWorld {
    return this.#base()
  }

  /** The base's, until the session is opened. */
  get engine(): Engine {
    return this.#engine ?? this.base.engine
  }

  get isOpen(): boolean {
    return this.#engine !== undefined
  }

  /** Copies the data. The history of the copy starts at this version. */
  open(version: number): void {
    const engine = this.base.engine.fork(version, this.beginning?.served)
    engine.now = () => this.clock.now()
    this.#engine = engine
  }

  of<T extends object>(state: WorldState<T>): T {
    return getOrMake(this.#states, state, () => state.fork(state.base, this)) as T
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
  /** Whether any request has named one. */
  isOn = false
  readonly #options: SessionsOptions
  /** Longest idle first, apart from those with requests in flight. */
  readonly #open = new Map<string, Session>()
  readonly #waiting = new Lru<string, Session>({ limit: MOST_WAITING })
  #lastVersion = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /**
   * The session that a request names. It takes next to no room until it is opened.
   * @param beginning how it begins, if it is not open
   */
  named(name: string, beginning?: Beginning): Session {
    // An idle session that is due to end is not the one that the request will enter.
    this.endIdle()
    const present = this.#open.get(name) ?? this.#waiting.get(name)
    if (present && (present.isOpen || present.beginning?.name === beginning?.name)) return present
    const session = new Session(name, this.#options.base, beginning)
    this.#waiting.set(name, session)
    return session
  }

  /** The session of this name, opened; undefined if there is no room for another one. */
  open(name: string, beginning?: Beginning): Session | undefined {
    const session = this.named(name, beginning)
    if (session.isOpen) this.#touch(session)
    else if (this.#makeRoom()) this.#begin(session)
    else return undefined
    return session
  }

  /** A promise to await before the session of this name is opened. */
  ready(name: string): Promise<void> | undefined {
    return this.#open.has(name) ? undefined : this.#options.base().engine.catchUp()
  }

  peek(name: string): Session | undefined {
    return this.#open.get(name)
  }

  opened(): readonly Session[] {
    this.endIdle()
    return [...this.#open.values()].reverse()
  }

  /** For `GET /__sessions`. */
  describe() {
    return this.opened().map((session) => ({
      name: session.name,
      createdAt: session.createdAt.toISOString(),
      idleMs: this.idleOf(session),
    }))
  }

  /** Puts the session back to its beginning. False if the name is invalid. */
  async reset(name: string): Promise<boolean> {
    await this.#open.get(name)?.reset()
    return isWorldName(name)
  }

  end(name: string): boolean {
    const session = this.#open.get(name)
    if (session) this.#end(session)
    return session !== undefined
  }

  endAll(): void {
    for (const session of this.#open.values()) this.#end(session)
  }

  /** Counts a request, which may be a stream that stays open. Returns what to call when it is over. */
  hold(session: Session): () => void {
    session.inFlight += 1
    return () => {
      session.inFlight -= 1
      if (this.#open.get(session.name) === session) this.#touch(session)
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

  #begin(session: Session): void {
    // Higher than in any session before: a client that follows an earlier one of this name notices that it has ended.
    session.open(Math.max(Date.now(), this.#lastVersion + 1))
    this.#waiting.delete(session.name)
    this.#touch(session)
    this.#options.onOpen?.(session)
    this.#timer ??= setInterval(() => this.endIdle(), IN_USE).unref()
  }

  #touch(session: Session): void {
    session.usedAt = this.#now()
    this.#open.delete(session.name)
    this.#open.set(session.name, session)
  }

  /** Whether there is room for another session. Ends those that are idle the longest to make it. */
  #makeRoom(): boolean {
    while (this.#open.size >= this.#options.limits().max) {
      const oldest = this.#longestIdle()
      if (!oldest || this.idleOf(oldest) < IN_USE) return false
      this.#end(oldest)
    }
    return true
  }

  #longestIdle(): Session | undefined {
    for (const session of this.#open.values()) if (session.inFlight === 0) return session
    return undefined
  }

  #end(session: Session): void {
    this.#open.delete(session.name)
    this.#lastVersion = Math.max(this.#lastVersion, session.engine.history.version)
    if (this.#open.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    session.end()
    this.#options.onEnd?.(session)
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now()
  }
}
