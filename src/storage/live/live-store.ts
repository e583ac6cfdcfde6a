import { setTimeout as sleep } from 'node:timers/promises'
import { Pace } from '../../util/pace.ts'
import { Database } from '../data/database.ts'
import type { CommitOptions, Names, News, Next, Store } from '../data/store.ts'
import type { Data } from '../types.ts'
import { type Holder, LiveObject } from './live-object.ts'

const NEVER = -1

/** Milliseconds that a look may take for each read. */
const QUICK = 5

/** How often a change is made again because the owner changed the object meanwhile. */
const MOST_ROUNDS = 8

/**
 * Data that somebody else holds, and may change in place: an object handed to `router()`, or what `router.db` gives out.
 * Before each read and each change the object is looked at; what changed is taken over as copies, and what the engine
 * changes is written back into the object. So the engine's own data never changes.
 */
export class LiveStore implements Store {
  readonly #inner: Store
  readonly #holder: Holder
  readonly #object: LiveObject
  /** What the engine has of the object; undefined if that is not what is in it. */
  #taken: Database | undefined
  /** Whether everything was replaced since the last look: followers are told. */
  #isLoud = false
  /** Whether the object has something that was not saved. */
  #isDetached = false
  #isClosed = false
  #nextLook: Promise<News | undefined> | undefined
  /** What it is to look at; undefined for everything. */
  #nextNames: ReadonlySet<string> | undefined = new Set()

  constructor(holder: Holder, inner: Store) {
    this.#inner = inner
    this.#holder = holder
    this.#object = new LiveObject(holder)
  }

  get database(): Database {
    this.#taken = this.#object.look()
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
    const isWhole = this.#object.look() === this.#taken
    this.#object.write(next)
    // What the owner did during the save is taken over by the next read.
    this.#taken = isWhole ? this.#object.known : undefined
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
    // All reads that come before a long look share it, and it waits a little for more of them: a server
    // accepts one connection per turn, so each of them would make the next ones wait for a look of its own.
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

  /** Serves another object from now on. The previous one is left as it is. */
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

  /** Puts what others wrote into the object: everything, since rows in it have no rank that others know. */
  async #adopt(stored: News | undefined): Promise<News | undefined> {
    const news = stored?.kind === 'commits' ? await this.#inner.news(NEVER) : stored
    if (news?.kind === 'content') {
      this.#object.replaceContent(news.data instanceof Database ? news.data.toData() : news.data)
    }
    return news
  }

  /** The engine takes over what is there by then, in its turn: a save may have put more into the object. */
  #lookAgain(names?: ReadonlySet<string>): News | undefined {
    if (this.#isClosed || this.#object.look(names) === this.#taken) return undefined
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
