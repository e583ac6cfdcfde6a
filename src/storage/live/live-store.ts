import { setTimeout as sleep } from 'node:timers/promises'
import { Pace } from '../../util/pace.ts'
import { Database } from '../data/database.ts'
import type { CommitOptions, Names, News, Next, Store } from '../data/store.ts'
import type { Data } from '../types.ts'
import { LiveMirror, type LiveObject, type Mirrored } from './live-mirror.ts'

const NEVER = -1

const QUICK = 5

const MOST_ROUNDS = 8

/**
 * Keeps an engine and an object that other code changes in place the same: one passed to `router()`, or `router.db`.
 * Before each read and change, what changed in the object is copied to the engine; changes of the engine are written
 * into the object.
 */
export class LiveStore implements Store {
  readonly #inner: Store
  readonly #object: LiveObject
  readonly #mirror: LiveMirror
  /** The copy that the engine has; undefined if the object differs from it. */
  #engineCopy: Mirrored | undefined
  /** Whether everything was replaced since the last sync: then followers get an event. */
  #isReplaced = false
  #isDetached = false
  #isClosed = false
  #nextSync: Promise<News | undefined> | undefined
  #nextNames: ReadonlySet<string> | undefined = new Set()
  /** Called when the engine, free for it, takes what the object has, or changes it. */
  beforeUse = () => {}

  constructor(object: LiveObject, inner: Store) {
    this.#inner = inner
    this.#object = object
    this.#mirror = new LiveMirror(object)
  }

  get database(): Database {
    this.beforeUse()
    const database = this.#mirror.sync()
    this.#engineCopy = this.#mirror.mirrored
    return database
  }

  async commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    options: CommitOptions,
  ): Promise<void> {
    let next: Next | undefined
    const pace = new Pace()
    this.beforeUse()
    await this.#inner.commit(async (stored) => {
      let news = (await this.#adopt(stored)) ?? this.#syncNews()
      for (let round = 1; ; round++) {
        next = await change(news)
        if (pace.isDue) await pace.turn()
        const isOver = round === MOST_ROUNDS || (options.replacesAll && (round > 1 || !stored))
        news = isOver ? undefined : this.#syncNews()
        if (!news) return next && { ...next, isDetached: this.#isDetached }
      }
    }, options)
    if (!next) return
    this.#isDetached = false
    await this.#mirror.prepare(next, pace)
    if (pace.isDue) await pace.turn()
    const made = this.#engineCopy ?? this.#mirror.mirrored
    const isWhole = this.#mirror.sync() === made.database
    this.#mirror.write(next, made)
    // Changes of the object during the save are copied by the next read.
    this.#engineCopy = isWhole ? this.#mirror.mirrored : undefined
  }

  write(next: Pick<Next, 'before' | 'after'>, made: Mirrored): void {
    this.#mirror.write(next, made)
  }

  async news(since: number): Promise<News | undefined> {
    this.beforeUse()
    return (await this.#adopt(await this.#inner.news(since))) ?? this.#syncNews()
  }

  newsToRead(since: number, names?: Names): Promise<News | undefined> | undefined {
    const stored = this.#inner.newsToRead(since)
    if (stored) return stored.then((news) => this.#adopt(news)).then((news) => news ?? this.#syncNews())
    const requested = names?.()
    const time = this.#mirror.timeOf(requested)
    if (time < QUICK) {
      const news = this.#syncNews(requested && new Set(requested))
      return news && Promise.resolve(news)
    }
    // Reads share a slow sync, which waits a little for more of them: a server accepts one connection per turn of the
    // event loop, so each read would otherwise wait for a sync of its own.
    this.#nextNames = requested && this.#nextNames && new Set([...this.#nextNames, ...requested])
    this.#nextSync ??= sleep(time / 4).then(() => {
      const allNames = this.#nextNames
      this.#nextSync = undefined
      this.#nextNames = new Set()
      return this.#syncNews(allNames)
    })
    return this.#nextSync
  }

  load(content: Data): void {
    this.#mirror.replaceContent(content)
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

  /**
   * All stored data: the object's rows have no ranks that commits could refer to. Written into the object when the
   * engine takes it: a save of its own may be on its way, with the same rows.
   */
  async #adopt(stored: News | undefined): Promise<News | undefined> {
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    if (news?.kind !== 'content') return news
    const { data } = news
    const take = () => {
      this.beforeUse()
      this.#mirror.replaceContent(data instanceof Database ? data.toData() : data)
      return data
    }
    return {
      ...news,
      get data() {
        return take()
      },
    }
  }

  /** The data is read when the engine is ready for it: a save may have put more into the object. */
  #syncNews(names?: ReadonlySet<string>): News | undefined {
    if (this.#isClosed || this.#mirror.sync(names) === this.#engineCopy?.database) return undefined
    this.#isDetached = true
    const isQuiet = !this.#isReplaced
    this.#isReplaced = false
    const take = () => this.database
    return {
      kind: 'content',
      get data() {
        return take()
      },
      isQuiet,
      isOutside: false,
    }
  }
}
