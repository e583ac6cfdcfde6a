import { applyEffects } from '../changes/effects.ts'
import { replacement } from '../changes/prepare-group.ts'
import { Database } from '../data/database.ts'
import type { Commit, News, Past } from '../data/store.ts'
import type { Hooks } from '../hooks.ts'
import type { Rules } from '../resource-rules.ts'
import { CompiledRules } from '../rules/compiled-rules.ts'
import {
  isSameFields,
  type ServedFields,
  servedCommit,
  servedDatabase,
  servedIn,
} from '../rules/served-fields.ts'
import type { Data, Naming } from '../types.ts'
import { History } from './history.ts'

export interface DataOptions extends Naming {
  readonly past?: Past | undefined
  readonly now?: (() => number) | undefined
}

/**
 * One immutable database, and the history that led to it. Each commit of this process, and each news of the store,
 * replaces it: a read keeps the one it began with.
 */
export class CurrentData {
  // Fields rather than getters: every request reads them. Only this class sets them.
  naming: Naming
  database: Database
  history: History
  rules: CompiledRules | undefined
  hooks: Hooks | undefined
  fields: ServedFields = new Map()
  /** What a reset restores. */
  origin: Database
  now: () => number
  readonly #listeners = new Set<(commit: Commit) => void>()

  constructor(content: Data | Database, { past, now = Date.now, id, foreignKeySuffix }: DataOptions) {
    this.naming = { id, foreignKeySuffix }
    this.database = Database.of(content)
    this.origin = this.database
    this.now = now
    const start = Date.now()
    this.history = new History(past ?? { base: start, bottom: start, commits: [] })
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

  /** Called with each commit, in order, readable already, before its `write` resolves. Returns how to unsubscribe. */
  subscribe(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  useRules(rules: Rules | undefined): void {
    this.rules = rules && new CompiledRules(rules)
    const fields = servedIn(rules)
    if (isSameFields(fields, this.fields)) return
    const all = insteadOf(this.fields, fields)
    this.fields = fields
    const origin = this.origin === this.database ? undefined : this.origin
    this.database = servedDatabase(this.database, all)
    this.origin = origin ? servedDatabase(origin, all) : this.database
    this.history = this.history.map((commit) => servedCommit(commit, all))
  }

  /** Whether the rules name a field, so that a query may use it though no row has it. */
  declares(collection: string, field: string): boolean {
    return this.rules?.of(collection)?.fieldNames.has(field) === true
  }

  useId(id: string): void {
    this.naming = { ...this.naming, id }
  }

  /** @param fields those it was made with: other rules may have come since */
  protected publish(made: Database, commits: readonly Commit[], fields = this.fields): void {
    const changed = fields === this.fields ? undefined : insteadOf(fields, this.fields)
    this.database = changed ? servedDatabase(made, changed) : made
    for (const stored of commits) {
      const commit = changed ? servedCommit(stored, changed) : stored
      if (commit.isOutside) this.origin = this.database
      this.history.add(commit)
      if (commit.names.length > 0) this.#emit(commit)
    }
  }

  /** @param since the version that the news were requested for: changes since may include them */
  protected async takeOver(news: News, since: number): Promise<void> {
    if (news.kind === 'commits') {
      for (const stored of news.commits) {
        const commit = servedCommit(stored, this.fields)
        if (commit.version <= this.history.version || !commit.effects) continue
        this.publish(await applyEffects(this.database, commit.effects), [commit])
      }
      return
    }
    const isOld = news.past && new History(news.past).version <= this.history.version
    if (isOld && this.history.version !== since) return
    const { data, past, isOutside = true } = news
    const before = this.database
    this.database = servedDatabase(Database.of(data), this.fields)
    if (news.isQuiet) return
    if (isOutside) this.origin = this.database
    if (past) this.history = new History(past).map((commit) => servedCommit(commit, this.fields))
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

/** Fields that are no longer hidden become visible again. */
function insteadOf(before: ServedFields, after: ServedFields): ServedFields {
  return new Map([...[...before.keys()].map((name) => [name, {}] as const), ...after])
}
