import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../../errors.ts'
import type { Commit } from '../../commit.ts'
import type { HiddenNames } from '../../hidden/conceal.ts'
import type { Data, Naming } from '../../types.ts'
import type { Catalogue, CatalogueReader } from '../layout/catalog.ts'
import type { Tables } from '../layout/tables.ts'
import type { Connections } from '../link/connections.ts'
import type { Sql } from '../link/sql.ts'
import { isConflict, isUnavailable, unavailable } from '../link/unavailable.ts'
import { FetchedData } from '../view/fetched-data.ts'
import { logCommits, type Versioned } from './commit-log.ts'
import { restoreImage } from './image.ts'
import { addResource, replaceAll } from './replace-all.ts'
import { type OnRows, saveTable } from './save-table.ts'

/** How often a transaction is tried that others got in the way of. */
const MOST_TRIES = 8
/** How long to ask whether a transaction was committed whose answer got lost. */
const MOST_DOUBT_MS = 30_000

export interface WriterOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly naming: Naming
  readonly hidden: () => HiddenNames
  /** Tells this instance from others. */
  readonly instance: string
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

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** @param prepare publishes a draft to the data, and tells what was done */
  commit(prepare: (data: FetchedData) => Promise<readonly Commit[]>): Promise<Written> {
    const { tables, naming } = this.#options
    return this.#locked(async (sql, before) => {
      const data = new FetchedData(sql, tables, before, { naming, hidden: this.#options.hidden() })
      const commits = (await prepare(data)).map(versioned(before))
      const version = before.version + commits.length
      return { commits, catalogue: await this.#save(sql, data, version) }
    })
  }

  replaceAll(data: Data, about: Partial<Commit>, onRows?: OnRows): Promise<Written> {
    const { tables, naming } = this.#options
    return this.#locked(async (sql, before) => {
      const version = before.version + 1
      const how = { idName: naming.id, version, onRows, isOutside: about.isOutside === true }
      const catalogue = await replaceAll(sql, tables, data, before, how)
      const names = servedIn(before, catalogue)
      return { commits: [{ version, commit: { names, ...about } }], catalogue }
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
      return { commits: [{ version, commit: { names, ...about } }], catalogue: restored }
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
      const added = { name, value, place: nextRid, version, idName: naming.id, rid: nextRid++ }
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
    ) => Promise<{ readonly commits: readonly Versioned[]; readonly catalogue: Catalogue }>,
  ): Promise<Written> {
    const { connections, tables, reader, instance } = this.#options
    for (let tries = 1; ; tries++) {
      try {
        return await connections.inTransaction(async (sql) => {
          const locked = sql.query<{ xid: string }>(
            `SELECT pg_current_xact_id()::text AS xid FROM ${tables.state} FOR UPDATE`,
          )
          const [before, [own]] = await Promise.all([reader.read(sql), locked])
          const { commits, catalogue } = await work(sql, before)
          if (catalogue === before) return { commits, base: before.version }
          const token = randomUUID()
          logCommits(sql, tables, instance, commits, token)
          await this.#finish(sql, String(own?.xid), commits.at(-1)?.version, token)
          reader.keep(catalogue)
          return { commits, base: before.version }
        })
      } catch (error) {
        if (!isConflict(error) || tries === MOST_TRIES) throw error
      }
    }
  }

  /** A connection that breaks during COMMIT leaves open whether it happened: the server knows. */
  async #finish(sql: Sql, xid: string, version: number | undefined, token: string): Promise<void> {
    try {
      // Should anything before it have failed, the server makes it a ROLLBACK, and that failure is thrown.
      await sql.query('COMMIT')
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (!(await this.#isCommitted(xid, version, token))) throw unavailable(error)
    }
  }

  /** After a crash, another transaction may have the number of one that was lost, but not its token. */
  async #isCommitted(xid: string, version: number | undefined, token: string): Promise<boolean> {
    const { commits } = this.#options.tables
    const ask = `SELECT pg_xact_status($1::xid8) AS status, (SELECT body FROM ${commits} WHERE version = $2) AS body`
    for (const end = performance.now() + MOST_DOUBT_MS; performance.now() < end; await sleep(100)) {
      const [found] = await this.#options.connections
        .ask<{ status: string | null; body: string | null }>(ask, [xid, version ?? 0])
        .catch(() => [{ status: 'in progress', body: null }])
      if (found?.status === 'in progress') continue
      const isOurs = version === undefined || found?.body?.startsWith(`{"token":"${token}"`) === true
      return found?.status === 'committed' && isOurs
    }
    throw new StorageError(
      'SOURCE_UNAVAILABLE',
      'The database went away while the change was being saved, and cannot be asked whether it was. Read it before you send it again.',
    )
  }
}

function versioned({ version }: Catalogue): (commit: Commit, at: number) => Versioned {
  return (commit, at) => ({ version: version + at + 1, commit })
}

/** The names that are served before or after. */
function servedIn(...catalogues: readonly Catalogue[]): readonly string[] {
  const all = catalogues.flatMap(({ resources }) => [...resources.values()])
  return [...new Set(all.filter(({ kind }) => kind !== 'other').map(({ name }) => name))]
}
