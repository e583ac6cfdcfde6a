import { StorageError } from '../../errors.ts'
import type { Data } from '../types.ts'
import type { Connections } from './link/connections.ts'
import { isTaken } from './link/unavailable.ts'
import { finish } from './settle.ts'
import { copyContent, removeContent } from './tables/contents.ts'
import { readContent } from './tables/read-content.ts'
import { CURRENT, type Tables } from './tables/tables.ts'

/** How often a copy is tried: another server may take its name meanwhile. */
const MOST_TRIES = 20

/** Copies of everything in the database, by name, for all servers. */
export class Images {
  readonly #connections: Connections
  readonly #tables: Tables

  constructor(connections: Connections, tables: Tables) {
    this.#connections = connections
    this.#tables = tables
  }

  async names(): Promise<readonly string[]> {
    const found = await this.#connections.ask<{ name: string }>(
      'copy',
      `SELECT name FROM ${this.#tables.images} ORDER BY image`,
    )
    return found.map(({ name }) => name)
  }

  /**
   * Makes one of the data as of now, under the first of these names that is not taken. Resolves with that name. Others go on
   * writing meanwhile.
   */
  async save(names: Iterable<string>): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#save(firstFree(names, new Set(await this.names())))
      } catch (error) {
        if (!isTaken(error) || tries === MOST_TRIES) throw error
      }
    }
  }

  /** The data of one; undefined if there is none of that name. */
  read(name: string): Promise<Data | undefined> {
    return this.#connections.inSnapshot('copy', async (sql) => {
      const [found] = await sql.query<{ image: number }>(
        `SELECT image FROM ${this.#tables.images} WHERE name = $1`,
        [name],
      )
      return found && (await readContent(sql, this.#tables, found.image)).toData()
    })
  }

  /** False if there is none of that name. */
  remove(name: string): Promise<boolean> {
    const { images } = this.#tables
    return this.#connections.inTransaction('copy', async (sql) => {
      const [gone] = await sql.query<{ image: number }>(
        `DELETE FROM ${images} WHERE name = $1 RETURNING image`,
        [name],
      )
      if (!gone) return false
      removeContent(sql, this.#tables, gone.image)
      await finish(sql, async () => !(await this.#has(gone.image)))
      return true
    })
  }

  #save(name: string): Promise<string> {
    const { images } = this.#tables
    return this.#connections.inTransaction(
      'copy',
      async (sql) => {
        const [made] = await sql.query<{ image: number }>(
          `INSERT INTO ${images} (name) VALUES ($1) RETURNING image`,
          [name],
        )
        const image = Number(made?.image)
        copyContent(sql, this.#tables, CURRENT, image)
        await finish(sql, () => this.#has(image))
        return name
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    )
  }

  async #has(image: number): Promise<boolean> {
    const text = `SELECT 1 FROM ${this.#tables.images} WHERE image = $1`
    const found = await this.#connections.ask('read', text, [image], async () => {})
    return found.length > 0
  }
}

function firstFree(names: Iterable<string>, taken: ReadonlySet<string>): string {
  for (const name of names) if (!taken.has(name)) return name
  throw new StorageError('WRITE_FAILED', 'Every name is taken. Remove copies that nobody needs.')
}
