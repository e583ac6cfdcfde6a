import { writeFileSync } from 'node:fs'
import { type Adapter, Low } from 'lowdb'
import type { Database } from '../../core/engine/data/database.ts'
import {
  type CommitOptions,
  type ForeignCommits,
  MemoryStore,
  type PrepareCommit,
} from '../../core/engine/data/store.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { codeOf, hasCode } from './fs.ts'

/** Files that other programs may change, too, or a user's lowdb. */
export interface DataFile extends Adapter<Database> {
  changedOutside(): Promise<boolean>
  /** Locks the file between processes. To replace everything, all has to be readable, or nothing is read. If a program without the lock writes after the work read, `write` throws `ChangedOutside`. */
  exclusive<T>(work: () => Promise<T>, replacesAll?: boolean): Promise<T>
  readSync?(): Data | undefined
  /** Why one of several files cannot be read. The others can be, and saved. */
  readonly fault?: StorageError | undefined
}

/** The file was changed since our read. Nothing was saved: the change must be made again on what is there. */
export class ChangedOutside extends Error {
  override readonly name = 'ChangedOutside'
}

export function createIfMissing(path: string): void {
  try {
    writeFileSync(path, '{}', { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOENT', 'EACCES', 'EROFS', 'EISDIR')) throw error
  }
}

const MOST_ROUNDS = 8

/** Saves everything to files, by lowdb, whenever something changed. The app watches them. */
export class FileStore extends MemoryStore {
  readonly file: DataFile
  readonly #low: Low<Database>

  constructor(file: DataFile, database: Database) {
    super()
    this.file = file
    this.#low = new Low(file, database)
  }

  override async commit(change: PrepareCommit, { replacesAll }: CommitOptions): Promise<void> {
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      try {
        return await this.file.exclusive(async () => {
          const news = this.#healthyNews()
          const next = await change(await (replacesAll ? news.catch(() => undefined) : news))
          if (!next) return
          this.#low.data = next.after
          await this.#low.write()
        }, replacesAll)
      } catch (cause) {
        // An outside edit during a save must neither be lost nor undo what is being saved.
        if (!(cause instanceof ChangedOutside)) throw writeFailed(cause)
      }
    }
    const message =
      'The data file keeps being changed by another program. Nothing was changed: try again when it is done.'
    throw new StorageError('WRITE_FAILED', message)
  }

  override async news(): Promise<ForeignCommits | undefined> {
    const news = await this.#healthyNews()
    if (!news && this.file.fault) throw this.file.fault
    return news
  }

  async #healthyNews(): Promise<ForeignCommits | undefined> {
    if (!(await this.file.changedOutside())) return undefined
    const before = this.#low.data
    await this.#low.read()
    const { data } = this.#low
    return data === before ? undefined : { kind: 'content', data, origin: data }
  }
}

/** Clients see this message, so it contains no path, only the kind of error. */
function writeFailed(cause: unknown): StorageError {
  const reason = cause instanceof StorageError ? cause.message.replace(/\.$/, '') : codeOf(cause)
  const message = `The data file could not be written, and nothing was changed${reason ? `: ${reason}` : ''}.`
  return new StorageError('WRITE_FAILED', message, { cause })
}
