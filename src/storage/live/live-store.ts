import type { Database } from '../data/database.ts'
import type { CommitOptions, News, Next, Store } from '../store.ts'
import type { Data } from '../types.ts'
import { LiveObject } from './live-object.ts'

/** Who has the object, and may put another in its place. */
export interface Holder {
  data: Data
}

/** How often a change is made again because the owner changed the object meanwhile. */
const MOST_ROUNDS = 8

/**
 * Data that somebody else holds, and may change in place: an object handed to `router()`, or what `router.db` gives out.
 * Before each read and each change the object is looked at; what changed is taken over as copies, and what the engine
 * changes is written back into the object. So the engine's own data never changes.
 */
export class LiveStore implements Store {
  readonly #inner: Store
  readonly #object: LiveObject
  /** Whether everything was replaced since the last look: those who follow are told. */
  #isLoud = false

  constructor(holder: Holder, inner: Store) {
    this.#inner = inner
    this.#object = new LiveObject(holder)
  }

  /** The data in the object, as of now. */
  get database(): Database {
    return this.#object.look()
  }

  async commit(
    change: (news: News | undefined) => Promise<Next | undefined>,
    options: CommitOptions,
  ): Promise<void> {
    let next: Next | undefined
    await this.#inner.commit(async (others) => {
      if (others) this.#object.adopt(others)
      let news = others ?? this.#lookAgain()
      for (let round = 1; ; round++) {
        next = await change(news)
        news = this.#lookAgain()
        if (!news || round === MOST_ROUNDS || options.replacesAll) return next
      }
    }, options)
    if (next) this.#object.write(next)
  }

  async news(since: number): Promise<News | undefined> {
    const others = await this.#inner.news(since)
    if (others) this.#object.adopt(others)
    return others ?? this.#lookAgain()
  }

  newsToRead(): Promise<News | undefined> | undefined {
    const news = this.#lookAgain()
    return news && Promise.resolve(news)
  }

  /** Puts other content into the object. */
  load(content: Data): void {
    this.#object.replaceContent(content)
    this.#isLoud = true
  }

  /** Serves another object from now on. The previous one is left as it is. */
  setState(data: Data): void {
    this.#object.replace(data)
    this.#isLoud = true
  }

  follow(changed: () => void): () => void {
    return this.#inner.follow(changed)
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #lookAgain(): News | undefined {
    const before = this.#object.known
    const data = this.#object.look()
    if (data === before) return undefined
    const isQuiet = !this.#isLoud
    this.#isLoud = false
    return { kind: 'content', data, isQuiet, isOutside: false }
  }
}
