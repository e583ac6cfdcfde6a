import { Turns } from '../../../work/turns.ts'
import type { Commit } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import type { CatalogueReader } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import { Listener } from '../link/listener.ts'
import type { Audience } from '../log/audience.ts'
import { concealEffects } from '../log/conceal-effects.ts'
import { type News, readCommits, type Versioned } from '../log/read-commits.ts'
import type { Freshness } from './freshness.ts'

export interface EarOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly freshness: Freshness
  readonly audience: Audience
  readonly hidden: () => HiddenNames
  readonly instance: string
}

/** Hears the commits of all instances, and hands them on in order, each once. */
export class Ear {
  readonly #options: EarOptions
  readonly #listener: Listener
  /** No version yet. */
  #heard = 0
  readonly #turns = new Turns()

  constructor(options: EarOptions) {
    const { connections, tables, instance } = options
    this.#options = options
    this.#listener = new Listener({
      connections,
      channel: tables.channel,
      onNews: async (payload) => payload !== instance && this.hear(),
      pulse: `SELECT version FROM ${tables.state}`,
      onPulse: async ([state]) => Number(state?.version) > this.#heard && this.#rejoin(),
      catchUp: () => (this.#heard === 0 ? this.#turns.take(() => this.#begin()) : this.#rejoin()),
    })
  }

  /** Whether commits of others are heard as they happen. */
  get isListening(): boolean {
    return this.#listener.isListening
  }

  start(): Promise<void> {
    return this.#listener.start()
  }

  /** Hands on commits of this instance, after all that came before them. */
  tell(commits: readonly Versioned[], base: number): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#heard < base) await this.#catchUp().catch(() => this.#skipTo(base))
      for (const { version, commit } of commits) this.#announce(version, commit)
    })
  }

  /** Hands on what others committed. False if there was nothing new. */
  hear(): Promise<boolean> {
    return this.#turns.take(() => this.#catchUp())
  }

  /** Rejects unless the database answers, and soon. */
  check(): Promise<void> {
    return this.#listener.check()
  }

  async close(): Promise<void> {
    await this.#turns.idle()
    await this.#listener.close()
  }

  /** Starts at what is there now. */
  async #begin(): Promise<void> {
    const { version } = await this.#readCatalogue()
    this.#heard = version
    this.#options.freshness.start(version)
  }

  /** Also where no commit tells what happened: the schema was removed, and made again. */
  #rejoin(): Promise<void> {
    return this.#turns.take(async () => {
      await this.#catchUp()
      const { version } = await this.#readCatalogue()
      if (version > this.#heard && !(await this.#catchUp())) this.#skipTo(version)
    })
  }

  async #catchUp(): Promise<boolean> {
    const { connections, tables } = this.#options
    const before = this.#heard
    const news = await readCommits({ query: (text, values) => connections.ask(text, values) }, tables, before)
    if (!news) {
      const { version } = await this.#readCatalogue()
      this.#skipTo(version)
    } else if (this.#listsOthers(news)) await this.#readCatalogue()
    for (const { version, commit } of news?.commits ?? []) this.#announce(version, commit)
    return this.#heard > before
  }

  /** Whether there may be other resources than before. No commit tells of a collection that is new and empty. */
  #listsOthers({ commits, nextRid }: News): boolean {
    if (nextRid === undefined || nextRid !== this.#options.reader.last?.nextRid) return true
    return commits.some(({ commit }) => !commit.effects)
  }

  /** What happened until then cannot be told one by one. */
  #skipTo(version: number): void {
    const names = [...(this.#options.reader.last?.resources.keys() ?? [])]
    this.#announce(version, { names, isOutside: true, upTo: version })
  }

  #announce(version: number, commit: Commit): void {
    if (version <= this.#heard) return
    const { freshness, audience, hidden } = this.#options
    this.#heard = version
    freshness.note(version, commit)
    // By the rules of now, whatever they were when it was made.
    audience.tell(concealEffects(commit, hidden()))
  }

  #readCatalogue() {
    const { connections, reader } = this.#options
    return connections.inShortSnapshot((sql) => reader.read(sql))
  }
}
