import { readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { FileLock } from './file-lock.ts'
import { unless, versionOf } from './fs.ts'
import { replaceFiles } from './write-file.ts'

/** Beyond that, the login that was begun or refreshed longest ago is forgotten: each change writes all of them. */
const MOST_LOGINS = 10_000

/** Makes a folder for what is neither data nor for git. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await writeFile(join(path, '.gitignore'), '*\n')
}

/** Logins of a data file, by name, in a file for its owner alone. All servers of that data see the same. */
export class StoredLogins {
  readonly #path: string
  readonly #lock: FileLock
  readonly #turns = new Turns()
  #texts: ReadonlyMap<string, string> = new Map()
  #version: string | undefined

  private constructor(path: string) {
    this.#path = path
    this.#lock = new FileLock(`${path}.lock`)
  }

  /** Rejects if there can be no such file. */
  static async open(path: string): Promise<StoredLogins> {
    await makePrivateFile(path)
    return new StoredLogins(path)
  }

  read(name: string): string | undefined {
    this.#refresh()
    return this.#texts.get(name)
  }

  /** Resolves once it is on disk. Rejects with a `StorageError`, and then nothing was changed. */
  async swap(name: string, before: string | undefined, after: string | undefined): Promise<boolean> {
    return this.#turns
      .take(() => this.#swapLocked(name, before, after))
      .catch((cause: unknown) => {
        throw new StorageError('WRITE_FAILED', 'The login could not be saved. Nothing was changed.', {
          cause,
        })
      })
  }

  async #swapLocked(name: string, before: string | undefined, after: string | undefined): Promise<boolean> {
    // Somebody may have removed it. The mode of a file is that of the one it replaces.
    await makePrivateFile(this.#path)
    const held = await this.#lock.acquire()
    try {
      if (this.read(name) !== before) return false
      const others = [...this.#texts].filter(([other]) => other !== name).slice(1 - MOST_LOGINS)
      const logins = after === undefined ? others : [...others, [name, after]]
      const chunks = [Buffer.from(JSON.stringify(Object.fromEntries(logins)))]
      await replaceFiles([{ target: this.#path, chunks }], async () => {})
      return true
    } finally {
      await held.release()
    }
  }

  /** Reads the file if another server, or this one, has written it. */
  #refresh(): void {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    const version = stats && versionOf(stats)
    if (version === this.#version && version !== undefined) return
    const saved: unknown = attempt(() => JSON.parse(readFileSync(this.#path, 'utf8')))
    const entries = Object.entries(isObject(saved) ? saved : {})
    this.#texts = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    this.#version = version
  }
}

async function makePrivateFile(path: string): Promise<void> {
  await makePrivateFolder(dirname(path))
  const file = await open(path, 'wx', 0o600).catch(unless('EEXIST'))
  // A copied project may have lost the mode.
  if (file) await file.close()
  else await chmod(path, 0o600)
}
