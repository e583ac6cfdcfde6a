import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Commit, Direction } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import type { Incoming } from '../../json/incoming.ts'
import type { Entry } from '../../past/kept.ts'
import type { Naming } from '../../types.ts'
import { addResource } from '../insert/add-resource.ts'
import type { Catalogue, CatalogueReader } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import type { Sql } from '../link/sql.ts'
import { isConflict } from '../link/unavailable.ts'
import { logCommits, type Unversioned } from '../log/commit-log.ts'
import { Ledger } from '../log/ledger.ts'
import { readChanges, type Versioned } from '../log/read-commits.ts'
import { FetchedData } from '../view/fetched-data.ts'
import { finish } from './finish.ts'
import { restoreImage } from './image.ts'
import { type OnRows, replaceAll } from './replace-all.ts'
import { saveTable } from './save-table.ts'

/** How often a transaction is tried that others got in the way of. */
const MOST_TRIES = 8

export interface WriterOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly naming: Naming
  readonly hidden: () => HiddenNames
  /** Tells this instance from others. */
  readonly instance: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What is kept of what happened, for a transaction that undoes or redoes some of it. */
export interface LockedPast {
  wayTo(to: number | undefined, direction: Direction): Promise<readonly Entry[]>
  /** In the order they are asked for. */
  effectsOf(changes: readonly Entry[]): Promise<readonly Pick<Commit, 'effects'>[]>
}

/** What a transaction did; no commits if there was nothing to do. */
export interface Written {
  readonly commits: readonly Versioned[]
  /** The version before them. */
  readonly base: number
}

/**
 * Writes in transactions, each alone: the row of the whole state is locked first. So commits have one order
 * for all instances, ids are given once, and what rules looked at stays as it was.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #ledger: Ledger

  constructor(options: WriterOptions) {
    this.#options = options
    this.#ledger = new Ledger(options.tables)
  }

  /** @param prepare publishes a draft to the data, and tells what was done */
  commit(
    prepare: (data: FetchedData, past: LockedPast) => Promise<readonly Unversioned[]>,
  ): Promise<Written> {
    const { tables, naming } = this.#options
    return this.#locked(async (sql, before) => {
      const hidden = this.#options.hidden()
      const data = new FetchedData(sql, tables, before, { naming, hidden })
      const commits = await prepare(data, {
        wayTo: async (to, direction) => (await this.#ledger.open(sql, before.version)).wayTo(to, direction),
        effectsOf: async (changes) => {
          const versions = changes.map(({ version }) => version)
          return (await readChanges(sql, tables, versions, hidden)).map(({ effects = [] }) => ({ effects }))
        },
      })
      const version = before.version + commits.length
      return { commits, catalogue: await this.#save(sql, data, version) }
    })
  }

  replaceAll(data: Incoming, about: Partial<Commit>, onRows?: OnRows): Promise<Written> {
    const { tables, naming } = this.#options
    return this.#locked(async (sql, before) => {
      const version = before.version + 1
      const how = { idName: naming.id, version, onRows, isOutside: about.isOutside === true }
      const catalogue = await replaceAll(sql, tables, data, before, how)
      const names = servedIn(before, catalogue)
      return { commits: [{ commit: { names, ...about } }], catalogue }
    })
  }

  /** Goes back to an image. Resolves with what is there then, too; undefined if there is none of that name. */
  async restore(
    name: string,
    about: Partial<Commit>,
  ): Promise<(Written & { readonly catalogue: Catalogue }) | undefined> {
    const { tables, reader } = this.#options
    let restored: Catalogue | undefined
    const written = await this.#locked(async (sql, before) => {
      const version = before.version + 1
      restored = await restoreImage(sql, name, { tables, reader, before, version })
      if (!restored) return { commits: [], catalogue: before }
      const names = servedIn(before, restored)
      return { commits: [{ commit: { names, ...about } }], catalogue: restored }
    })
    return restored && { ...written, catalogue: restored }
  }

  async #save(sql: Sql, data: FetchedData, version: number): Promise<Catalogue> {
    const { tables, naming } = this.#options
    const resources = new Map(data.catalogue.resources)
    for (const [name, resource] of data.catalogue.resources) {
      const table = data.table(name)
      if (table?.change) {
        resources.set(name, await saveTable(sql, tables, table, { idName: naming.id, version }))
      } else if (!table && data.data[name] !== resource.value) {
        const value = data.data[name]
        const text = JSON.stringify(value)
        sql.send(`UPDATE ${tables.resources} SET version = $2, body = $3 WHERE rid = $1`, [
          resource.rid,
          version,
          text,
        ])
        resources.set(name, { ...resource, version, value: JSON.parse(text) })
      }
    }
    let { nextRid } = data.catalogue
    // Collections that are new: nobody is told before there is a row in them.
    for (const [name, value] of Object.entries(data.data).filter(([name]) => !resources.has(name))) {
      const added = { name, value, version, idName: naming.id, rid: nextRid++ }
      resources.set(name, await addResource(sql, tables, added))
    }
    if (nextRid !== data.catalogue.nextRid) sql.send(`UPDATE ${tables.state} SET next_rid = $1`, [nextRid])
    const isSame = nextRid === data.catalogue.nextRid && version === data.catalogue.version
    return isSame ? data.catalogue : { ...data.catalogue, version, nextRid, resources }
  }

  async #locked(
    work: (
      sql: Sql,
      before: Catalogue,
    ) => Promise<{ readonly commits: readonly Unversioned[]; readonly catalogue: Catalogue }>,
  ): Promise<Written> {
    const { connections, tables, reader } = this.#options
    for (let tries = 1; ; tries++) {
      try {
        return await connections.inTransaction(async (sql) => {
          const locked = sql.query<{ xid: string }>(
            `SELECT pg_current_xact_id()::text AS xid FROM ${tables.state} FOR UPDATE`,
          )
          const [before, [own]] = await Promise.all([reader.read(sql), locked])
          const done = await work(sql, before)
          if (done.catalogue === before) return { commits: [], base: before.version }
          const token = randomUUID()
          const page = await this.#ledger.open(sql, before.version)
          this.#ledger.takeOut()
          const commits = await logCommits(sql, this.#options, page, done.commits, token)
          await finish(sql, this.#options, { xid: String(own?.xid), version: commits.at(-1)?.version, token })
          this.#ledger.putBack(page)
          reader.keep(done.catalogue)
          return { commits, base: before.version }
        })
      } catch (error) {
        if (!isConflict(error) || tries === MOST_TRIES) throw error
        // Two transactions that met do not meet again in step.
        await sleep(Math.random() * 10 * tries)
      }
    }
  }
}

/** The names that are served before or after. */
function servedIn(...catalogues: readonly Catalogue[]): readonly string[] {
  const all = catalogues.flatMap(({ resources }) => [...resources.values()])
  return [...new Set(all.filter(({ kind }) => kind !== 'other').map(({ name }) => name))]
}
