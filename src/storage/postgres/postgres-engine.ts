import { randomBytes } from 'node:crypto'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../change.ts'
import type { Commit, SharedPast, SubscribeOptions } from '../commit.ts'
import { replacementIn } from '../draft/apply-change.ts'
import type { Engine, Images, ReadOptions, Shared } from '../engine.ts'
import { type HiddenNames, hiddenIn, hidesSame } from '../hidden/conceal.ts'
import type { Incoming } from '../json/incoming.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../question.ts'
import type { Rules } from '../resource-rules.ts'
import { CompiledRules } from '../rules/compiled-rules.ts'
import type { Naming } from '../types.ts'
import { Guard } from '../view/guard.ts'
import { lastChange } from './last-change.ts'
import { CatalogueReader } from './layout/catalog.ts'
import { Tables } from './layout/tables.ts'
import { type Address, readAddress } from './link/address.ts'
import { Connections } from './link/connections.ts'
import { explainFailure } from './link/explain-failure.ts'
import { loadPg } from './link/load-pg.ts'
import type { Sql } from './link/sql.ts'
import { Audience } from './log/audience.ts'
import { readPast } from './log/read-commits.ts'
import { openSchema } from './open-schema.ts'
import { PostgresImages } from './postgres-images.ts'
import { Reads } from './reads.ts'
import { SharedNotes } from './shared-notes.ts'
import { Ear } from './write/ear.ts'
import { finishUnlogged } from './write/finish.ts'
import { Freshness } from './write/freshness.ts'
import { BEGINNING } from './write/image.ts'
import type { OnRows } from './write/replace-all.ts'
import { Sweeper } from './write/waste.ts'
import { pretend, WriteQueue } from './write/write-queue.ts'
import { Writer } from './write/writer.ts'

export interface PostgresEngineOptions extends Naming {
  /** What a schema that is new is filled with. */
  readonly sample: () => Incoming | Promise<Incoming>
  /** Called with the number of rows that are in, while it is filled. */
  readonly onRows?: OnRows | undefined
  /** What time changes are made at, in milliseconds since 1970. @default the time */
  readonly now?: (() => number) | undefined
  /** How long the database may be silent before it counts as gone, in milliseconds. @default 10_000 */
  readonly patienceMs?: number | undefined
  /** Ends what is being written, and with it everything that the transaction did. */
  readonly signal?: AbortSignal | undefined
}

/** Opens the data in a schema of a database, which is made if it is not there. */
export async function openPostgres(
  source: string | Address,
  { sample, onRows, signal, now = Date.now, patienceMs, ...naming }: PostgresEngineOptions,
): Promise<PostgresEngine> {
  const address = typeof source === 'string' ? readAddress(source) : source
  const connections = new Connections(await loadPg(), address, patienceMs, signal)
  const tables = new Tables(address.schema)
  let engine: PostgresEngine | undefined
  try {
    await connections.inTransaction(async (sql) => {
      await openSchema(sql, tables, { idName: naming.id, sample, onRows })
      await finishUnlogged(sql, { connections, tables })
    })
    engine = new PostgresEngine(connections, tables, naming, now)
    await engine.start()
    return engine
  } catch (error) {
    // It may listen already.
    await (engine ?? connections).close().catch(() => {})
    throw explainFailure(error, address)
  }
}

/** The engine of a database that other instances use, too. */
export class PostgresEngine implements Engine {
  readonly isRemote = true
  readonly naming: Naming
  readonly images: Images
  readonly past: SharedPast
  readonly #connections: Connections
  readonly #tables: Tables
  readonly #reader: CatalogueReader
  readonly #freshness: Freshness
  readonly #audience = new Audience()
  readonly #ear: Ear
  readonly #writes: WriteQueue
  readonly #reads: Reads
  readonly #sweeper: Sweeper
  #rules: CompiledRules | undefined
  #shared: Shared | undefined
  /** Another one makes every reading old. */
  #hidden: HiddenNames = new Map()

  constructor(connections: Connections, tables: Tables, naming: Naming, now = Date.now) {
    const instance = randomBytes(9).toString('base64url')
    const shared = { connections, tables, naming, instance, hidden: () => this.#hidden }
    const reader = new CatalogueReader(tables)
    this.naming = naming
    this.#connections = connections
    this.#tables = tables
    this.#reader = reader
    this.#freshness = new Freshness(naming.id)
    this.#ear = new Ear({ ...shared, reader, freshness: this.#freshness, audience: this.#audience })
    this.#reads = new Reads({ ...shared, reader })
    this.#sweeper = new Sweeper(connections, tables)
    this.#writes = new WriteQueue({
      writer: new Writer({ ...shared, reader, now }),
      rules: () => this.#rules,
      tell: async (commits, base) => {
        await this.#ear.tell(commits, base)
        // Everything was replaced.
        if (commits.some(({ commit }) => !commit.effects)) this.#sweeper.sweep()
      },
    })
    this.images = new PostgresImages({
      ...{ connections, tables, reader, writes: this.#writes },
      sweep: () => this.#sweeper.sweep(),
    })
    this.past = {
      read: () => connections.inSnapshot((sql) => readPast(sql, tables, this.#hidden)),
      move: (direction, options) => this.#writes.move(direction, options),
    }
  }

  /** Before anything is asked. */
  async start(): Promise<void> {
    // Before others need a second one.
    await this.#connections.open()
    await this.#ear.start()
    // One that was killed may have left something.
    this.#sweeper.sweep()
    const ask: Sql['query'] = (text, values) => this.#connections.ask(text, values)
    this.#shared = new SharedNotes(ask, this.#tables, () => this.#reader.secret)
  }

  get shared(): Shared | undefined {
    return this.#shared
  }

  names(): readonly string[] {
    const all = [...(this.#reader.last?.resources.values() ?? [])]
    return all.filter(({ kind }) => kind !== 'other').map(({ name }) => name)
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    const kind = this.#reader.last?.resources.get(name)?.kind
    return kind === 'other' ? undefined : kind
  }

  async read<K extends QuestionKind>(
    question: Question<K>,
    options: ReadOptions = {},
  ): Promise<Reading<FoundByKind[K]>> {
    const hidden = this.#hidden
    const { found, version } = await this.#reads.answer(question, options)
    return {
      found,
      isCurrent: () =>
        this.#ear.isListening && this.#hidden === hidden && lastChange(this.#freshness, question) <= version,
      isStable: () => true,
    }
  }

  async write<K extends ChangeKind>(
    change: Change<K>,
    options: WriteOptions = {},
  ): Promise<OutcomeByKind[K]> {
    const data = replacementIn(change)
    if (data && options.view) new Guard(options.view).checkAdmin()
    if (data && !options.dryRun) await this.#writes.replaceAll(data, options)
    if (!data && !options.dryRun) return this.#writes.write(change, options)
    return this.#reads.inSnapshot((now) => pretend(now, change, options, this.#rules))
  }

  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    return this.#audience.add(listener, options)
  }

  useRules(rules: Rules | undefined): void {
    this.#rules = rules && new CompiledRules(rules)
    const hidden = hiddenIn(rules)
    if (hidesSame(hidden, this.#hidden)) return
    const names = [...new Set([...this.#hidden.keys(), ...hidden.keys()])]
    this.#hidden = hidden
    this.#audience.tell({ names })
  }

  declares(collection: string, field: string): boolean {
    return this.#rules?.of(collection)?.names.has(field) === true
  }

  /** Replaces everything with what comes from outside, and tells how it gets on. */
  fill(data: Incoming, onRows?: OnRows): Promise<void> {
    return this.#writes.replaceAll(data, { isOutside: true }, onRows)
  }

  async rewind({ note }: Pick<WriteOptions, 'note'> = {}): Promise<void> {
    await this.#writes.restore(BEGINNING, note)
  }

  /** Lets the database take a look at rows that just came: it plans by what it knows of them. */
  async tidy(): Promise<void> {
    for (const { rid, kind } of this.#reader.last?.resources.values() ?? []) {
      if (kind === 'collection') await this.#connections.work(`VACUUM (ANALYZE) ${this.#tables.of(rid)}`)
    }
  }

  check(): Promise<void> {
    return this.#ear.check()
  }

  refresh(): Promise<boolean> {
    return this.#ear.hear()
  }

  async close(): Promise<void> {
    // Idle connections keep no process alive: one that waits for their end would end first.
    const alive = setInterval(() => {}, 60_000)
    try {
      await this.#writes.idle()
      await this.#reads.close()
      await this.#sweeper.close()
      await this.#ear.close()
      await this.#connections.close()
    } finally {
      clearInterval(alive)
    }
  }
}
