import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { SqlTransaction } from './connection.ts'
import type { Connections } from './connections.ts'
import { isConflict } from './failures.ts'
import { readContent } from './read-content.ts'
import { copyCurrent, removeContent } from './write-content.ts'

type Image = { image: number }

export class StoredImages {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async names(): Promise<readonly string[]> {
    const text = 'SELECT name FROM images ORDER BY image'
    return (await this.#connections.query<{ name: string }>('copy', text)).map(({ name }) => name)
  }

  async save(names: Iterable<string>): Promise<string> {
    for (const name of names) {
      const isSaved = await this.#save(name).catch((error: unknown) => {
        // Another server took the name meanwhile.
        if (isConflict(error)) return false
        throw error
      })
      if (isSaved) return name
    }
    throw new StorageError('WRITE_FAILED', 'Every name is taken. Remove copies that nobody needs.')
  }

  read(name: string): Promise<Data | undefined> {
    return this.#connections.inSnapshot('copy', async (sql) => {
      const [row] = await sql.query<Image>('SELECT image FROM images WHERE name = $1', [name])
      return row && (await readContent(sql, row.image)).toData()
    })
  }

  remove(name: string): Promise<boolean> {
    return this.#connections.inTransaction('copy', async (sql) => {
      const [gone] = await sql.query<Image>('DELETE FROM images WHERE name = $1 RETURNING image', [name])
      if (!gone) return false
      removeContent(sql, gone.image)
      await sql.commit(async () => !(await this.#has(gone.image)))
      return true
    })
  }

  #save(name: string): Promise<boolean> {
    const work = async (sql: SqlTransaction) => {
      const text = 'INSERT INTO images (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING image'
      const [made] = await sql.query<Image>(text, [name])
      if (!made) return false
      copyCurrent(sql, made.image)
      await sql.commit(() => this.#has(made.image))
      return true
    }
    return this.#connections.inTransaction('copy', work, 'BEGIN ISOLATION LEVEL REPEATABLE READ')
  }

  async #has(image: number): Promise<boolean> {
    const text = 'SELECT 1 FROM images WHERE image = $1'
    return (await this.#connections.query('read', text, [image], async () => {})).length > 0
  }
}
