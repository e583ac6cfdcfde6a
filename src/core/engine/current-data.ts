import { isSameJson } from '../kernel/json/values.ts'
import { TimeSlice } from '../kernel/util/pace.ts'
import { Turns } from '../kernel/util/turns.ts'
import { applyEffects } from './changes/effects.ts'
import { replacement } from './changes/prepare-group.ts'
import { Database } from './data/database.ts'
import type { Commit, ForeignCommits, StoredHistory } from './data/store.ts'
import { History } from './history.ts'
import type { Hooks } from './hooks.ts'
import type { Rules } from './resource-rules.ts'
import { CompiledRules } from './rules/compiled-rules.ts'
import {
  isSameFields,
  publicFieldsOf,
  type ServedFields,
  servedCommit,
  servedDatabase,
} from './rules/served-fields.ts'
import type { Data, Naming } from './types.ts'

export interface DataOptions extends Naming {
  readonly past?: StoredHistory | undefined
  readonly now?: (() => number) | undefined
}

/**
 * An immutable database, and the history that led to it. Each commit of this process, and each news of the store,
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
  /** The data that a reset restores. */
  origin: Database
  now: () => number
  /** Queue of everything that replaces the database. */
  readonly turns = new Turns()
  readonly #listeners = new Set<(commit: Commit) => void>()

  constructor(content: Data | Database, { past, now = Date.now, id, ids, foreignKeySuffix }: DataOptions) {
    this.naming = { id, foreignKeySuffix, ids }
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

  /** Takes effect immediately, unless they hide or compute other fields: then all rows are made again, with pauses. */
  async useRules(rules: Rules | undefined): Promise<void> {
    const compiled = rules && new CompiledRules(rules)
    const fields = publicFieldsOf(rules)
    if (!isSameFields(fields, this.fields)) await this.turns.take(() => this.#useFields(fields))
    this.rules = compiled
    const named = { references: referencesIn(rules), ids: idsIn(rules) }
    if (!isSameJson(pairsIn(named), pairsIn(this.naming))) this.naming = { ...this.naming, ...named }
  }

  /** Whether the rules name a field, so that a query may use it though no row has it. */
  declares(collection: string, field: string): boolean {
    return this.rules?.of(collection)?.fieldNames.has(field) === true
  }

  /** Other data, as this engine serves rows: without hidden fields, and with computed ones. */
  served(stored: Database): Promise<Database> {
    return servedDatabase(stored, this.fields)
  }

  useId(id: string): void {
    if (id !== this.naming.id) this.naming = { ...this.naming, id }
  }

  /** Only in a turn. */
  publish(made: Database, commits: readonly Commit[]): void {
    this.database = made
    for (const commit of commits) {
      if (commit.isOutside) this.origin = this.database
      this.history.add(commit)
      if (commit.names.length > 0) this.#emit(commit)
    }
  }

  /** Only in a turn. */
  async takeOver(news: ForeignCommits): Promise<void> {
    const pace = new TimeSlice()
    if (news.kind === 'commits') {
      for (const stored of news.commits) {
        const commit = await servedCommit(stored, this.fields, pace)
        this.publish(await applyEffects(this.database, commit.effects ?? []), [commit])
      }
      return
    }
    const { data, past, origin, version = this.history.version + 1 } = news
    const made = (content: Data | Database) => servedDatabase(Database.of(content), this.fields, pace)
    const before = this.database
    const after = await made(data)
    const restored = origin && origin !== data ? await made(origin) : after
    const history = past && (await new History(past).map((commit) => servedCommit(commit, this.fields, pace)))
    this.database = after
    if (version === this.history.version) {
      this.history.hasGaps = true
      return
    }
    const head = { version, time: this.now(), meta: {} }
    const commit = replacement(head, before, after, origin !== undefined)
    // Where versions are stored, so is the origin: here, it would keep rows that are gone.
    if (origin || past) this.origin = restored
    if (history) this.history = history
    else this.history.add(commit)
    this.#emit(commit)
  }

  async #useFields(fields: ServedFields): Promise<void> {
    // Fields that are no longer hidden become visible again.
    const all = new Map([...[...this.fields.keys()].map((name) => [name, {}] as const), ...fields])
    const pace = new TimeSlice()
    const database = await servedDatabase(this.database, all, pace)
    const origin = this.origin === this.database ? database : await servedDatabase(this.origin, all, pace)
    const history = await this.history.map((commit) => servedCommit(commit, all, pace))
    this.database = database
    this.origin = origin
    this.history = history
    this.fields = fields
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

type References = NonNullable<Naming['references']>

function referencesIn(rules: Rules | undefined): References {
  const all = [...(rules?.resources ?? [])].map(([name, { references = {} }]) => {
    const fields = Object.entries(references).map(([field, { resource }]) => [field, resource] as const)
    return [name, new Map(fields)] as const
  })
  return new Map(all.filter(([, fields]) => fields.size > 0))
}

function idsIn(rules: Rules | undefined): ReadonlyMap<string, string> {
  const all = [...(rules?.resources ?? [])]
  return new Map(all.flatMap(([name, { id }]) => (id === undefined ? [] : [[name, id] as const])))
}

function pairsIn({ references = new Map(), ids = new Map() }: Pick<Naming, 'references' | 'ids'>): unknown {
  return [[...ids], [...references].map(([name, fields]) => [name, [...fields]])]
}
