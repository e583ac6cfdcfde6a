import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from './change.ts'
import type { CreateId } from './changes/draft.ts'
import { eventsOf } from './changes/effects.ts'
import {
  isRowChange,
  makeChange,
  type Prepared,
  prepareGroup,
  type QueuedChange,
} from './changes/prepare-group.ts'
import { mayRunHooks } from './changes/run-before.ts'
import { CurrentData, type DataOptions } from './current-data.ts'
import type { Database } from './data/database.ts'
import {
  type ForeignCommits,
  MemoryStore,
  type PreparedCommit,
  type Store,
  Unstorable,
} from './data/store.ts'
import type { FoundByKind, Question, QuestionKind, ReadOptions, ReadResult } from './question.ts'
import { readQuestion } from './read-question.ts'
import { requireAdmin } from './rules/check-access.ts'
import { Transaction } from './transaction.ts'
import type { Data } from './types.ts'

export interface EngineOptions extends DataOptions {
  readonly store?: Store | undefined
  /** Reads the data that a reset restores, instead of the last content from outside. */
  readonly origin?: (() => Promise<Data | Database>) | undefined
}

/** How often a transaction runs before all others wait for it. */
const ATTEMPTS = 3

/** Reads the data, and is the one way to change it. Changes queue up; those that arrive during a save share the next one. */
export class Engine extends CurrentData {
  /** `LiveStore` replaces it with itself and wraps it. */
  store: Store
  createId: CreateId | undefined
  /** Called under the store's lock before a change is saved. If it rejects, the change is refused. */
  beforeSave: ((next: PreparedCommit) => Promise<void>) | undefined
  /** Number of resets. A transaction begun before a reset is dropped. */
  resets = 0
  readonly #readOrigin: (() => Promise<Data | Database>) | undefined
  #waiting: QueuedChange[] = []
  /** Under the store's lock, a transaction works on data that has all news: it may itself wait for a read. */
  isLocked = false
  readonly #unfollow: () => void

  constructor(content: Data | Database, options: EngineOptions) {
    super(content, options)
    this.store = options.store ?? new MemoryStore()
    this.#readOrigin = options.origin
    this.#unfollow = this.store.follow(() => void this.refresh().catch(() => {}))
  }

  read<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions = {},
  ): Promise<ReadResult<FoundByKind[K]>> {
    const news = options.isCaughtUp ? undefined : this.catchUp()
    return news
      ? news.then(() => readQuestion(this, question, options))
      : readQuestion(this, question, options)
  }

  /** Takes over writes of other processes; undefined, without a promise, where there are none. */
  catchUp(): Promise<void> | undefined {
    return this.store.hasNews?.(this.history.version)?.then(async (hasNews) => {
      if (hasNews && !this.isLocked) await this.refresh()
    })
  }

  /** Resolves once the change is durable. Rejects with a `StorageError`, and then nothing was changed. */
  async write<K extends ChangeKind>(
    change: Change<K>,
    options: WriteOptions = {},
  ): Promise<OutcomeByKind[K]> {
    const requested = change as Change
    const isRow = isRowChange(requested)
    if (options.access && !isRow) requireAdmin(options.access)
    if (this.hooks && isRow && mayRunHooks(this.hooks, requested)) {
      return this.transact((transaction) => transaction.write(change, options), options)
    }
    if (options.dryRun) {
      await this.catchUp()
      const version = this.history.version + 1
      const made = await makeChange(requested, options, this, this.database, version)
      return made.outcome as OutcomeByKind[K]
    }
    return new Promise((resolve, reject) => {
      const settle = resolve as (outcome: unknown) => void
      this.#waiting.push({ change: requested, options, ids: [], resolve: settle, reject })
      void this.turns.take(this.#commit)
    })
  }

  /**
   * Runs `work` on a next version of the data that nobody else sees, and makes that one commit. If what it used was
   * changed meanwhile, it runs again: in the end while all other writes wait, so that it cannot fail forever.
   */
  async transact<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: Pick<WriteOptions, 'meta' | 'by' | 'access' | 'dryRun'> = {},
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await this.catchUp()
      const { resets, fields } = this
      const transaction = new Transaction(this)
      const outcome = await transaction.run(work)
      if (options.dryRun || !transaction.hasChanges) return outcome
      const on = async (newest: Database) =>
        this.resets === resets && this.fields === fields ? transaction.on(newest) : undefined
      const isDone = await this.#commitWork(on, options)
      if (isDone) return outcome
    }
    let outcome: T | undefined
    await this.#commitWork(async (newest) => {
      const transaction = new Transaction(this, newest)
      this.isLocked = true
      try {
        outcome = await transaction.run(work)
      } finally {
        this.isLocked = false
      }
      return transaction.database
    }, options)
    return outcome as T
  }

  /** False if `run` gave none. */
  async #commitWork(
    run: (newest: Database) => Promise<Database | undefined>,
    options: Pick<WriteOptions, 'meta' | 'by' | 'access'>,
  ): Promise<boolean> {
    let next: Database | undefined
    const change = {
      kind: 'transaction',
      async run(newest: Database) {
        next = await run(newest)
        return next ?? newest
      },
    } as const
    const effects = await this.write(change, { meta: options.meta })
    if (next) await this.hooks?.after(eventsOf(effects), options)
    return next !== undefined
  }

  /** The data that a reset restores. */
  async beginning(): Promise<Data | Database> {
    return (await this.#readOrigin?.()) ?? this.origin
  }

  async reset(meta?: WriteOptions['meta']): Promise<void> {
    const before = this.origin
    const origin = await this.#readOrigin?.()
    // Asked for under the store's lock: an edit or an import a moment ago is content from outside, too.
    const data = async () => (this.origin === before ? origin : await this.#readOrigin?.()) ?? this.origin
    await this.write({ kind: 'replace-database', data }, { meta, isReset: true })
  }

  /** Takes over changes of the store; false if there were none. */
  readonly refresh = this.turns.shared(async () => {
    const { database } = this
    const news = await this.store.news(this.history.version)
    if (news) await this.takeOver(news)
    return this.database !== database
  })

  /**
   * An engine on the same data, in memory only. Neither sees the other's changes.
   * @param over parts in place of those of this data, as this engine serves them
   */
  fork(start: number, over?: Database): Engine {
    const past = { base: start, bottom: start, commits: [] }
    const fork = new Engine(over ? this.database.withAll(over) : this.database, {
      ...this.naming,
      past,
      now: this.now,
    })
    fork.createId = this.createId
    fork.naming = this.naming
    fork.rules = this.rules
    fork.fields = this.fields
    fork.hooks = this.hooks
    return fork
  }

  check(): Promise<void> {
    return this.store.check()
  }

  /** Resolves when all changes so far are durable or refused. */
  async close(): Promise<void> {
    this.#unfollow()
    await this.turns.idle()
    await this.store.close()
  }

  /** Changes that arrive before the store is locked join: clients of one save often write again together. */
  readonly #commit = async (most?: number): Promise<void> => {
    const [first] = this.#waiting
    if (!first) return
    let group: readonly QueuedChange[] | undefined
    let prepared: Prepared | undefined
    const change = async (news: ForeignCommits | undefined) => {
      if (news) await this.takeOver(news)
      group ??= this.#nextGroup(most)
      prepared = await prepareGroup(group, this)
      if (this.beforeSave && prepared.next) await this.beforeSave(prepared.next)
      return prepared.next
    }
    try {
      await this.store.commit(change, {
        since: () => this.history.version,
        replacesAll: first.change.kind === 'replace-database',
      })
    } catch (failure) {
      const isOfOne = failure instanceof Error && failure.cause instanceof Unstorable
      if (isOfOne && group && group.length > 1) {
        const half = group.length >>> 1
        this.#waiting.unshift(...group)
        await this.#commit(half)
        return this.#commit(group.length - half)
      }
      // If the store could not be locked, every waiting change fails.
      if (prepared) return prepared.settle(failure)
      for (const { reject } of group ?? this.#waiting.splice(0)) reject(failure)
      return
    }
    if (prepared?.next) this.publish(prepared.next.after, prepared.next.commits)
    if (first.options.isReset) {
      this.resets += 1
      // Read each time, it would only keep rows that are gone.
      if (this.#readOrigin) this.origin = this.database
    }
    await prepared?.settle()
  }

  /** The next changes to save together. A change that depends on all data, or on the history, is alone. */
  #nextGroup(most = this.#waiting.length): readonly QueuedChange[] {
    let end = 0
    for (const { change } of this.#waiting.slice(0, most)) {
      if (!isRowChange(change)) break
      end++
    }
    return this.#waiting.splice(0, Math.max(1, end))
  }
}

export type Catalog = Readonly<Pick<Engine, 'naming' | 'names' | 'kindOf'>>

export type EngineAccess = Readonly<
  Pick<Engine, 'naming' | 'state' | 'names' | 'kindOf' | 'read' | 'write' | 'declares' | 'catchUp'>
>
