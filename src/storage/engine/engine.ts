import { Turns } from '../../util/turns.ts'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { CreateId } from '../changes/draft.ts'
import { applyEffects } from '../changes/effects.ts'
import {
  isRowChange,
  makeChange,
  type Prepared,
  prepareGroup,
  type QueuedChange,
  replacement,
} from '../changes/prepare-group.ts'
import type { Commit } from '../data/commit.ts'
import { Database } from '../data/database.ts'
import { MemoryStore, type Names, type News, type Past, type Store } from '../data/store.ts'
import type { FoundByKind, Question, QuestionKind, Reading, ReadOptions } from '../question.ts'
import type { Rules } from '../resource-rules.ts'
import { requireAdmin } from '../rules/check-access.ts'
import { CompiledRules } from '../rules/compiled-rules.ts'
import {
  concealCommit,
  concealDatabase,
  type HiddenNames,
  hiddenIn,
  hidesSame,
} from '../rules/hidden-fields.ts'
import type { Data, Naming } from '../types.ts'
import { History } from './history.ts'
import { readQuestion } from './read-question.ts'

export interface EngineOptions extends Naming {
  readonly store?: Store | undefined
  readonly past?: Past | undefined
  /** What a reset restores, instead of the last content from outside. Read each time. */
  readonly origin?: (() => Promise<Data>) | undefined
  readonly now?: (() => number) | undefined
}

/**
 * The data, and the one way to change it. Holds one immutable database, replaced by each commit: a read keeps the one
 * it began with. Changes queue up; those that arrive during a save share the next one.
 */
export class Engine {
  // Fields rather than getters: every request reads them. Only the engine sets them.
  naming: Naming
  database: Database
  history: History
  store: Store
  rules: CompiledRules | undefined
  hidden: HiddenNames = new Map()
  origin: Database
  readonly #readOrigin: (() => Promise<Data>) | undefined
  readonly #turns = new Turns()
  readonly #listeners = new Set<(commit: Commit) => void>()
  #waiting: QueuedChange[] = []
  #unfollow: () => void
  createId: CreateId | undefined
  now: () => number

  constructor(
    content: Data | Database,
    { store = new MemoryStore(), past, origin, now = Date.now, ...naming }: EngineOptions,
  ) {
    this.naming = { id: naming.id, foreignKeySuffix: naming.foreignKeySuffix }
    this.database = content instanceof Database ? content : Database.of(content)
    this.origin = this.database
    this.#readOrigin = origin
    this.store = store
    this.now = now
    const start = Date.now()
    this.history = new History(past ?? { base: start, bottom: start, commits: [] })
    this.#unfollow = this.#follow()
  }

  get state(): object {
    return this.database
  }

  names(): readonly string[] {
    return this.database.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.database.kindOf(name)
  }

  async read<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions = {},
  ): Promise<Reading<FoundByKind[K]>> {
    const news = options.isCaughtUp ? undefined : this.catchUp()
    if (news) await news
    return readQuestion(this, question, options)
  }

  /** Takes over writes of other processes; undefined, without a promise, where there are none. */
  catchUp(names?: Names): Promise<void> | undefined {
    const since = this.history.version
    return this.store.newsToRead(since, names)?.then((news) => {
      if (news) return this.#turns.take(() => this.#take(news, since))
    })
  }

  /** Resolves once the change is durable. Rejects with a `StorageError`, and then nothing was changed. */
  async write<K extends ChangeKind>(
    change: Change<K>,
    options: WriteOptions = {},
  ): Promise<OutcomeByKind[K]> {
    if (options.access && !isRowChange(change as Change)) requireAdmin(options.access)
    if (options.dryRun) {
      await this.catchUp()
      const version = this.history.version + 1
      const made = await makeChange(change as Change, options, this, this.database, version)
      return made.outcome as OutcomeByKind[K]
    }
    return new Promise((resolve, reject) => {
      const settle = resolve as (outcome: unknown) => void
      this.#waiting.push({ change: change as Change, options, resolve: settle, reject })
      void this.#turns.take(() => this.#commit())
    })
  }

  async reset(meta?: WriteOptions['meta']): Promise<void> {
    // An edit a moment ago is content from outside, too. If it cannot be read, it is replaced.
    await this.refresh().catch(() => false)
    const data = (await this.#readOrigin?.()) ?? this.origin
    await this.write({ kind: 'replace-database', data }, { meta })
  }

  /** Called with each commit, in order, readable already, before its `write` resolves. Returns how to unsubscribe. */
  subscribe(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  useRules(rules: Rules | undefined): void {
    this.rules = rules && new CompiledRules(rules)
    const hidden = hiddenIn(rules)
    if (hidesSame(hidden, this.hidden)) return
    const before = this.hidden
    this.hidden = hidden
    const conceal = (database: Database) => concealDatabase(database, hidden, before)
    this.origin = conceal(this.origin)
    this.database = conceal(this.database)
    // Fields that are no longer hidden become visible again.
    const visible = [...before.keys()].map((name) => [name, []] as const)
    const all: HiddenNames = new Map([...visible, ...hidden])
    this.history = this.history.map((commit) => concealCommit(commit, all))
  }

  /** Whether the rules name a field, so that a query may use it though no row has it. */
  declares(collection: string, field: string): boolean {
    return this.rules?.of(collection)?.fieldNames.has(field) === true
  }

  useId(id: string): void {
    this.naming = { ...this.naming, id }
  }

  /** Takes over changes of the store; false if there were none. */
  refresh(): Promise<boolean> {
    return this.#turns.take(async () => {
      const since = this.history.version
      const news = await this.store.news(since)
      if (news) await this.#take(news, since)
      return news !== undefined
    })
  }

  /** An engine on the same data, in memory only. Neither sees the other's changes. */
  fork(start: number): Engine {
    const past = { base: start, bottom: start, commits: [] }
    const fork = new Engine(this.database, { ...this.naming, past, now: this.now })
    fork.createId = this.createId
    fork.rules = this.rules
    fork.hidden = this.hidden
    return fork
  }

  check(): Promise<void> {
    return this.store.check()
  }

  useStore(store: Store): void {
    this.#unfollow()
    this.store = store
    this.#unfollow = this.#follow()
  }

  /** Resolves when all changes so far are durable or refused. */
  async close(): Promise<void> {
    this.#unfollow()
    await this.#turns.idle()
    await this.store.close()
  }

  /** Changes that arrive before the store is locked join: clients of one save often write again together. */
  async #commit(): Promise<void> {
    const [first] = this.#waiting
    if (!first) return
    let group: readonly QueuedChange[] | undefined
    let prepared: Prepared | undefined
    const since = this.history.version
    const change = async (news: News | undefined) => {
      if (news) await this.#take(news, since)
      group ??= this.#nextGroup()
      prepared = await prepareGroup(group, this)
      return prepared.next
    }
    try {
      await this.store.commit(change, { since, replacesAll: first.change.kind === 'replace-database' })
    } catch (failure) {
      // If the store could not be locked, every waiting change fails.
      if (prepared) return prepared.settle(failure)
      for (const { reject } of group ?? this.#waiting.splice(0)) reject(failure)
      return
    }
    if (prepared?.next) this.#publish(prepared.next.after, prepared.next.commits)
    await prepared?.settle()
  }

  /** What goes by the whole of the data, or by its history, is alone. */
  #nextGroup(): readonly QueuedChange[] {
    let end = 0
    for (const { change } of this.#waiting) {
      if (!isRowChange(change)) break
      end++
    }
    return this.#waiting.splice(0, Math.max(1, end))
  }

  #follow(): () => void {
    return this.store.follow(() => void this.refresh().catch(() => {}))
  }

  #publish(database: Database, commits: readonly Commit[]): void {
    this.database = database
    for (const commit of commits) {
      if (commit.isOutside) this.origin = database
      this.history.add(commit)
      if (commit.names.length > 0) this.#emit(commit)
    }
  }

  /** @param since the version it was requested for: changes since may include it */
  async #take(news: News, since: number): Promise<void> {
    if (news.kind === 'commits') {
      for (const stored of news.commits) {
        const commit = concealCommit(stored, this.hidden)
        if (commit.version <= this.history.version || !commit.effects) continue
        this.#publish(await applyEffects(this.database, commit.effects), [commit])
      }
      return
    }
    const isOld = news.past && new History(news.past).version <= this.history.version
    if (isOld && this.history.version !== since) return
    const { data, past, isOutside = true } = news
    const before = this.database
    this.database = concealDatabase(data instanceof Database ? data : Database.of(data), this.hidden)
    if (news.isQuiet) return
    if (isOutside) this.origin = this.database
    if (past) this.history = new History(past).map((commit) => concealCommit(commit, this.hidden))
    const version = past ? this.history.version : this.history.version + 1
    const commit = replacement({ version, time: this.now(), meta: {} }, before, this.database, isOutside)
    if (!past) this.history.add(commit)
    this.#emit(commit)
  }

  /** An error in a listener is reported on its own: the commit stands, and other listeners are called. */
  #emit(commit: Commit): void {
    for (const listener of this.#listeners) {
      try {
        listener(commit)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}

export type Catalog = Readonly<Pick<Engine, 'naming' | 'names' | 'kindOf'>>

export type EngineAccess = Readonly<
  Pick<
    Engine,
    'naming' | 'state' | 'names' | 'kindOf' | 'read' | 'write' | 'declares' | 'catchUp' | 'refresh'
  >
>
