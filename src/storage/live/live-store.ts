import { setTimeout as sleep } from 'node:timers/promises'
import { getOrMake } from '../../util/get-or-make.ts'
import { Pace } from '../../util/pace.ts'
import { Turns } from '../../util/turns.ts'
import { Database } from '../data/database.ts'
import {
  type CommitOptions,
  MemoryStore,
  type Names,
  type News,
  type Next,
  type Store,
} from '../data/store.ts'
import type { Data } from '../types.ts'
import type { LiveMirror, LiveObject, Mirrored } from './live-mirror.ts'

const NEVER = -1

const MOST_ROUNDS = 8

/** In milliseconds. */
const QUICK = 5
const LONGEST_REST = 50

/** Several engines may serve one object. They take turns, so that no two make the same id. */
const commits = new WeakMap<object, Turns>()

/**
 * Keeps an engine and an object that other code changes in place the same: one passed to `router()`, or `router.db`.
 * Before each read and change, what changed in the object is copied to the engine; changes of the engine are written
 * into the object.
 */
export class LiveStore implements Store {
  readonly #inner: Store
  readonly #object: LiveObject
  readonly #mirror: LiveMirror
  /** What is stored of the object: what its owner did since is not. */
  #stored: Mirrored
  /** What the engine has of the object. */
  #taken: Mirrored
  /** What the engine may be taking over: it has it when it comes again. */
  #given: Mirrored | undefined
  /** Whether everything was replaced since the engine took it: then followers get an event. */
  #isReplaced = false
  #isClosed = false
  #nextNames: ReadonlySet<string> | undefined = new Set()
  readonly #turns = new Turns()
  readonly #syncNext = this.#turns.shared(async () => {
    const names = this.#nextNames
    this.#nextNames = new Set()
    const start = performance.now()
    await this.#mirror.sync(names)
    const took = performance.now() - start
    // Reads that come now share the next sync: a server accepts one connection per turn of the event loop, so each
    // would otherwise wait for a sync of its own.
    if (took > QUICK) void this.#turns.take(() => sleep(Math.min(took / 4, LONGEST_REST)))
  })
  /** Whether the store has versions, so that others may have changed it since ours. */
  readonly #hasVersions: boolean
  /** Called once, when the engine, free for it, comes for what the object has, or to change it. */
  beforeUse: (() => Promise<void>) | undefined

  /** The engine has what the mirror has. */
  constructor(object: LiveObject, mirror: LiveMirror, inner: Store) {
    this.#inner = inner
    this.#hasVersions = !(inner instanceof MemoryStore)
    this.#object = object
    this.#mirror = mirror
    this.#stored = mirror.mirrored
    this.#taken = mirror.mirrored
  }

  commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    options: CommitOptions,
  ): Promise<void> {
    const turns = getOrMake(commits, this.#object.data, () => new Turns())
    return turns.take(() => this.#commit(change, options))
  }

  async #commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    options: CommitOptions,
  ): Promise<void> {
    let next: Next | undefined
    const pace = new Pace()
    await this.#begin()
    await this.#inner.commit(async (stored) => {
      let news = (await this.#adopt(stored)) ?? (await this.#newsOfObject())
      for (let round = 1; ; round++) {
        next = await change(news)
        this.#confirm()
        if (pace.isDue) await pace.turn()
        news = options.replacesAll || round === MOST_ROUNDS ? undefined : await this.#newsOfObject()
        if (!news) return next && this.#isUnsaved ? asReplacement(next) : next
      }
    }, options)
    // A new, empty collection makes no version: a store of versions does not save it.
    if (next) await this.write(next, next.commits.length > 0 || !this.#hasVersions)
  }

  async write(next: Pick<Next, 'before' | 'after'>, isStored = true): Promise<void> {
    this.#taken = await this.#mirror.write(next, this.#taken)
    if (isStored) this.#stored = this.#taken
  }

  async news(since: number, isForRead?: boolean): Promise<News | undefined> {
    await this.#begin()
    return (await this.#adopt(await this.#inner.news(since, isForRead))) ?? this.#newsOfObject()
  }

  async hasNews(since: number, names?: Names): Promise<boolean> {
    if (this.beforeUse || (await this.#inner.hasNews(since))) return true
    await this.#sync(names?.())
    return !this.#isTaken
  }

  load(content: Data): void {
    this.#stored = this.#mirror.fill(Database.of(content))
    this.#isReplaced = true
  }

  setState(data: Data): void {
    this.#object.data = data
    this.#isReplaced = true
  }

  follow(changed: () => void): () => void {
    return this.#inner.follow(changed)
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#inner.close()
  }

  /** All stored data, since the object's rows have no ranks that commits could refer to, with what the owner did. */
  async #adopt(stored: News | undefined): Promise<News | undefined> {
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    if (news?.kind !== 'content') return news
    const change = { before: this.#stored.database, after: Database.of(news.data) }
    this.#stored = await this.#mirror.write(change, this.#stored)
    await this.#sync()
    return { ...news, data: this.#give(), origin: this.#stored.database }
  }

  async #newsOfObject(): Promise<News | undefined> {
    await this.#sync()
    if (this.#isTaken) return undefined
    // A change would be a version that is not stored.
    const change = this.#isReplaced && !this.#hasVersions ? 'own' : 'none'
    return { kind: 'content', data: this.#give(), change }
  }

  #give(): Database {
    this.#isReplaced = false
    this.#given = this.#mirror.mirrored
    return this.#given.database
  }

  async #begin(): Promise<void> {
    this.#confirm()
    const { beforeUse } = this
    this.beforeUse = undefined
    await beforeUse?.()
  }

  #confirm(): void {
    this.#taken = this.#given ?? this.#taken
    this.#given = undefined
  }

  get #isTaken(): boolean {
    return this.#isClosed || (!this.#given && this.#mirror.current === this.#taken.database)
  }

  get #isUnsaved(): boolean {
    return this.#taken.database !== this.#stored.database
  }

  #sync(names?: readonly string[]): Promise<void> {
    this.#nextNames = names && this.#nextNames && new Set([...this.#nextNames, ...names])
    return this.#syncNext()
  }
}

/** No other process has the rows at these ranks: for them, everything was replaced. */
function asReplacement(next: Next): Next {
  return { ...next, commits: next.commits.map((commit) => ({ ...commit, effects: undefined })) }
}
