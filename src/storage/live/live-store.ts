import { setTimeout as sleep } from 'node:timers/promises'
import { Pace } from '../../util/pace.ts'
import { Database } from '../data/database.ts'
import type { CommitOptions, Names, News, Next, Store } from '../data/store.ts'
import type { Data } from '../types.ts'
import { LiveMirror, type LiveObject } from './live-object.ts'

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
  readonly #holder: LiveObject
  readonly #object: LiveMirror
  /** The copy that the engine has; undefined if the object differs from it. */
  #taken: Database | undefined
  /** Whether everything was replaced since the last sync: then followers get an event. */
  #isLoud = false
  #isDetached = false
  #isClosed = false
  #nextLook: Promise<News | undefined> | undefined
  #nextNames: ReadonlySet<string> | undefined = new Set()

  constructor(holder: LiveObject, inner: Store) {
    this.#inner = inner
    this.#holder = holder
    this.#object = new LiveMirror(holder)
  }

  get database(): Database {
    this.#taken = this.#object.sync()
    return this.#taken
  }

  async commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    options: CommitOptions,
  ): Promise<void> {
    let next: Next | undefined
    const pace = new Pace()
    await this.#inner.commit(async (stored) => {
      let news = (await this.#adopt(stored)) ?? this.#lookAgain()
      for (let round = 1; ; round++) {
        next = await change(news)
        if (pace.isDue) await pace.turn()
        news = this.#lookAgain()
        if (!news || round === MOST_ROUNDS || options.replacesAll) {
          return next && { ...next, isDetached: this.#isDetached }
        }
      }
    }, options)
    if (!next) return
    this.#isDetached = false
    if (pace.isDue) await pace.turn()
    const isWhole = this.#object.sync() === this.#taken
    this.#object.write(next)
    // Changes of the object during the save are copied by the next read.
    this.#taken = isWhole ? this.#object.current : undefined
  }

  async news(since: number): Promise<News | undefined> {
    return (await this.#adopt(await this.#inner.news(since))) ?? this.#lookAgain()
  }

  newsToRead(since: number, names?: Names): Promise<News | undefined> | undefined {
    const others = this.#inner.newsToRead(since)
    if (others) return others.then((stored) => this.#adopt(stored)).then((news) => news ?? this.#lookAgain())
    const asked = names?.()
    const time = this.#object.timeOf(asked)
    if (time < QUICK) {
      const news = this.#lookAgain(asked && new Set(asked))
      return news && Promise.resolve(news)
    }
    // Reads share a slow sync, which waits a little for more of them: a server accepts one connection per turn of the
    // event loop, so each read would otherwise wait for a sync of its own.
    this.#nextNames = asked && this.#nextNames && new Set([...this.#nextNames, ...asked])
    this.#nextLook ??= sleep(time / 4).then(() => {
      const wanted = this.#nextNames
      this.#nextLook = undefined
      this.#nextNames = new Set()
      return this.#lookAgain(wanted)
    })
    return this.#nextLook
  }

  load(content: Data): void {
    this.#object.replaceContent(content)
    this.#isLoud = true
  }

  setState(data: Data): void {
    this.#holder.data = data
    this.#isLoud = true
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

  /** Writes all stored data into the object: its rows have no ranks that commits could refer to. */
  async #adopt(stored: News | undefined): Promise<News | undefined> {
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    if (news?.kind === 'content') {
      this.#object.replaceContent(news.data instanceof Database ? news.data.toData() : news.data)
    }
    return news
  }

  /** The data is read when the engine is ready for it: a save may have put more into the object. */
  #lookAgain(names?: ReadonlySet<string>): News | undefined {
    if (this.#isClosed || this.#object.sync(names) === this.#taken) return undefined
    this.#isDetached = true
    const isQuiet = !this.#isLoud
    this.#isLoud = false
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
