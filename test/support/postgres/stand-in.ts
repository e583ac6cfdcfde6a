import { Database } from '../../../src/core/engine/data/database.ts'
import type { Commit, Effect, ForeignCommits, StoredHistory } from '../../../src/core/engine/data/store.ts'
import { Table } from '../../../src/core/engine/data/table.ts'
import { type Difference, diff } from '../../../src/core/engine/data/tree.ts'
import { History } from '../../../src/core/engine/history.ts'
import type { Data, Row } from '../../../src/core/engine/types.ts'
import { Turns } from '../../../src/core/kernel/util/turns.ts'
import {
  type OpenedPostgres,
  openPostgres,
  type PostgresOptions,
} from '../../../src/stores/postgres/open-postgres.ts'

/** What becomes of the data. */
export type Edit = (database: Database) => Database | Promise<Database>

/** As much of an engine as it takes to use a store. */
export class StandIn {
  readonly opened: OpenedPostgres
  database: Database
  past: StoredHistory
  history: History
  /** What it was told, in order. */
  readonly heard: (Commit | 'content')[] = []
  readonly #turns = new Turns()

  private constructor(opened: OpenedPostgres) {
    this.opened = opened
    this.database = opened.database
    this.past = opened.past
    this.history = new History(opened.past)
  }

  static async open(address: string, options: Partial<PostgresOptions> = {}): Promise<StandIn> {
    return new StandIn(await openPostgres(address, { sample: () => ({ items: [{ id: 1 }] }), ...options }))
  }

  get version(): number {
    return this.history.version
  }

  get data(): Data {
    return this.database.toData()
  }

  /** As current as reads are. */
  async read(): Promise<Data> {
    if (await this.opened.store.hasNews?.(this.version)) await this.refresh()
    return this.data
  }

  refresh(): Promise<boolean> {
    return this.#turns.take(async () => {
      const news = await this.opened.store.news(this.version)
      if (news) this.#take(news)
      return news !== undefined
    })
  }

  /** @param about what differs from a change of rows */
  write(edit: Edit, about: Partial<Commit> = {}): Promise<Commit> {
    return this.#turns.take(async () => {
      let made: { commit: Commit; after: Database } | undefined
      const change = async (news: ForeignCommits | undefined) => {
        if (news) this.#take(news)
        const before = this.database
        const after = await edit(before)
        const version = this.version + 1
        const effects = effectsOf(before, after)
        const commit: Commit = {
          ...{ version, time: 1, top: version, bytes: JSON.stringify(effects).length, meta: {}, effects },
          names: effects.map(({ name }) => name),
          ...about,
        }
        made = { commit, after }
        return { before, after, commits: [commit], recorded: this.history }
      }
      await this.opened.store.commit(change, { since: () => this.version, replacesAll: false })
      if (!made) throw new Error('Nothing was changed.')
      this.database = made.after
      this.history.add(made.commit)
      return made.commit
    })
  }

  /** Adds a row with the next id. */
  async add(row: Row = {}, name = 'items'): Promise<Row> {
    let added = row
    await this.write((database) => {
      const table = database.table(name) ?? Table.of([])
      const last = table.rows.entryAt(table.size - 1).item
      added = { ...row, id: Number(last?.id ?? 0) + 1 }
      return database.with(name, table.edit([{ rank: table.nextRank, after: added }]))
    })
    return added
  }

  replace(data: Data, about: Partial<Commit> = {}): Promise<Commit> {
    return this.write(() => Database.of(data), { effects: undefined, bytes: 0, ...about })
  }

  close(): Promise<void> {
    return this.opened.store.close()
  }

  #take(news: ForeignCommits): void {
    if (news.kind === 'content') {
      if (!news.past || !(news.data instanceof Database)) throw new Error('This is not all.')
      this.database = news.data
      this.past = news.past
      this.history = new History(news.past)
      this.heard.push('content')
      return
    }
    for (const commit of news.commits) {
      if (commit.version !== this.version + 1) throw new Error('Something was left out.')
      for (const effect of commit.effects ?? []) this.database = applied(this.database, effect)
      this.history.add(commit)
      this.heard.push(commit)
    }
  }
}

function effectsOf(before: Database, after: Database): Effect[] {
  return [...after.parts].flatMap(([name, part]): Effect[] => {
    const old = before.parts.get(name)
    if (part === old) return []
    if (!(part instanceof Table)) return [{ kind: 'object', name, before: old as Row, after: part as Row }]
    const rows: Difference<Row>[] = [...diff((before.table(name) ?? Table.of([])).rows, part.rows)]
    return [{ kind: 'rows', name, rows }]
  })
}

function applied(database: Database, effect: Effect): Database {
  if (effect.kind === 'object') return database.with(effect.name, effect.after)
  let table = database.table(effect.name) ?? Table.of([])
  for (const { rank, after } of effect.rows) {
    table = after === undefined ? table.edit([{ rank: rank }]) : table.edit([{ rank: rank, after: after }])
  }
  return database.with(effect.name, table)
}
