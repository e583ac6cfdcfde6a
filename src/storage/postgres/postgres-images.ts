import { StorageError } from '../../errors.ts'
import type { Counts, Images } from '../engine.ts'
import type { CatalogueReader } from './layout/catalog.ts'
import type { Tables } from './layout/tables.ts'
import type { Connections } from './link/connections.ts'
import { isGone, isTaken } from './link/unavailable.ts'
import { finishUnlogged } from './write/finish.ts'
import { BEGINNING, removeImage, saveImage } from './write/image.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** How often a copy is tried: everything may be replaced meanwhile, or somebody else take the name. */
const MOST_TRIES = 20

export interface PostgresImagesOptions {
  readonly connections: Connections
  readonly tables: Tables
  readonly reader: CatalogueReader
  readonly writes: WriteQueue
  /** Drops what nobody needs. */
  readonly sweep: () => void
}

/** Copies of everything in the database, for all instances. */
export class PostgresImages implements Images {
  readonly #options: PostgresImagesOptions

  constructor(options: PostgresImagesOptions) {
    this.#options = options
  }

  async names(): Promise<readonly string[]> {
    const { connections, tables } = this.#options
    const found = await connections.ask<{ name: string }>(
      `SELECT name FROM ${tables.images} WHERE name <> $1`,
      [BEGINNING],
    )
    return found.map(({ name }) => name)
  }

  /** Copies one moment, without the lock: others go on writing. */
  async save(names: Iterable<string>): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#save(names)
      } catch (error) {
        if (!(isGone(error) || isTaken(error)) || tries === MOST_TRIES) throw error
      }
    }
  }

  restore(name: string): Promise<Counts | undefined> {
    return this.#options.writes.restore(name)
  }

  async remove(name: string): Promise<boolean> {
    const { connections, tables, sweep } = this.#options
    const isRemoved = await connections.inCopy(async (sql) => {
      const isRemoved = await removeImage(sql, tables, name)
      await finishUnlogged(sql, { connections, tables })
      return isRemoved
    })
    sweep()
    return isRemoved
  }

  #save(names: Iterable<string>): Promise<string> {
    const { connections, tables, reader } = this.#options
    return connections.inCopy(async (sql) => {
      sql.send('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      const catalogue = await reader.read(sql)
      const taken = await sql.query<{ name: string }>(`SELECT name FROM ${tables.images}`)
      const name = firstFree(names, new Set(taken.map((image) => image.name)))
      await saveImage(sql, tables, name, catalogue)
      await finishUnlogged(sql, { connections, tables })
      return name
    })
  }
}

function firstFree(names: Iterable<string>, taken: ReadonlySet<string>): string {
  for (const name of names) if (!taken.has(name)) return name
  throw new StorageError('WRITE_FAILED', 'Every name is taken. Remove copies that nobody needs.')
}
