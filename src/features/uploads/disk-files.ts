import { randomUUID } from 'node:crypto'
import { constants, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ConfigError, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { codeOf, syncFolder, unless } from '../../stores/file/fs.ts'
import { holderState, lockHolder } from '../../stores/file/lock-holder.ts'
import { makePrivateFolder } from '../../stores/file/stored-logins.ts'
import { HEAD_BYTES } from './file-type.ts'
import type { DurableFiles, FoundFile, Received } from './kept-files.ts'

const HASH = /^[0-9a-f]{32}$/
/** Without a link at its end. Windows has no such flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/**
 * Files in a folder: `3f/3f9a…`. In `.restable` is what is not finished: `<id>.<server>.part` while it arrives,
 * `<hash>.<id>.<server>.tmp` until its row is saved, `<hash>.left` for a file that a change has taken a name from, and
 * `<server>.server` for each server that runs.
 */
export class DiskFiles implements DurableFiles {
  readonly #folder: string
  readonly #private: string
  readonly #server = randomUUID()
  #receiving = 0
  #isClosed = false

  private constructor(folder: string) {
    this.#folder = folder
    this.#private = join(folder, '.restable')
  }

  /** @param data the file, or the files, whose rows name those in the folder */
  static async open(folder: string, data: readonly string[]): Promise<DiskFiles> {
    const files = new DiskFiles(folder)
    try {
      await makePrivateFolder(files.#private)
      const own = data.map((path) => relative(folder, path)).join('\n')
      const marker = join(files.#private, 'data.txt')
      await writeFile(marker, own, { flag: 'wx' }).catch(unless('EEXIST'))
      const remembered = await readFile(marker, 'utf8')
      if (remembered !== own) {
        const remedy = `Name another "dir", or delete ${marker} if these files belong to this data.`
        throw new ConfigError(
          `uploads.dir: ${folder} has the files of ${remembered.replaceAll('\n', ', ')}. ${remedy}`,
        )
      }
      writeFileSync(files.#path(`${files.#server}.server`), `${lockHolder()} `)
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause
      const why = codeOf(cause) ?? 'unknown reason'
      throw new ConfigError(`uploads.dir: ${folder} cannot be written (${why}). Check its permissions.`, {
        cause,
      })
    }
    return files
  }

  receive(): Received {
    const temps: { hash: string; path: string }[] = []
    const parts = new Map<string, FileHandle>()
    this.#receiving += 1
    const end = () => {
      this.#receiving -= 1
      if (this.#isClosed) this.close()
    }
    return {
      begin: async () => {
        const id = `${randomUUID()}.${this.#server}`
        const part = this.#path(`${id}.part`)
        const file = await orFull(open(part, 'wx'))
        parts.set(part, file)
        return {
          write: (chunk) => orFull(file.appendFile(chunk)),
          finish: async (hash) => {
            await orFull(file.sync())
            await file.close()
            const path = this.#path(`${hash}.${id}.tmp`)
            await orFull(rename(part, path))
            parts.delete(part)
            temps.push({ hash, path })
          },
        }
      },
      flush: () => orFull(syncFolder(this.#private)),
      keep: async () => {
        // What fails here, the next start finishes: the row names it.
        for (const { hash, path } of temps) await this.#moveIn(hash, path).catch(() => {})
        end()
      },
      drop: async () => {
        for (const file of parts.values()) await file.close().catch(() => {})
        for (const path of [...parts.keys(), ...temps.map((temp) => temp.path)])
          await unlink(path).catch(() => {})
        end()
      },
    }
  }

  async find(hash: string): Promise<FoundFile | undefined> {
    const file = (await openFile(this.#place(hash))) ?? (await this.#findTemp(hash))
    if (!file) return undefined
    const stats = await file.stat()
    if (!stats.isFile()) {
      await file.close()
      return undefined
    }
    return {
      size: stats.size,
      head: async () => {
        const bytes = Buffer.alloc(HEAD_BYTES)
        const { bytesRead } = await file.read(bytes, 0, HEAD_BYTES, 0)
        return bytes.subarray(0, bytesRead)
      },
      read: (start, end) => file.createReadStream({ start, end: end - 1 }),
      close: () => file.close(),
    }
  }

  async markLeft(hashes: ReadonlySet<string>): Promise<void> {
    for (const hash of hashes) await orFull(writeFile(this.#path(`${hash}.left`), ''))
  }

  async left(): Promise<ReadonlySet<string>> {
    const names = await readdir(this.#private)
    return new Set(
      names.filter((name) => name.endsWith('.left')).map((name) => name.slice(0, -'.left'.length)),
    )
  }

  async settle(
    left: ReadonlySet<string>,
    going: ReadonlySet<string>,
    isNamed: (hash: string) => boolean,
  ): Promise<void> {
    for (const hash of left) {
      // Synchronous: nothing names it in between.
      if (going.has(hash)) {
        if (isNamed(hash)) continue
        attempt(() => unlinkSync(this.#place(hash)))
      }
      await unlink(this.#path(`${hash}.left`)).catch(() => {})
    }
  }

  async isAlone(): Promise<boolean> {
    const servers = await this.#servers()
    return servers.every((server) => server === this.#server)
  }

  async recover(isNamed: (hash: string) => boolean): Promise<void> {
    const alive = await this.#servers()
    for (const name of await readdir(this.#private)) {
      const [, hash, server = ''] =
        /^(?:([0-9a-f]{32})\.)?[0-9a-f-]{36}\.([0-9a-f-]{36})\.(?:part|tmp)$/.exec(name) ?? []
      if (server === '' || alive.includes(server)) continue
      if (hash !== undefined && isNamed(hash)) await this.#moveIn(hash, this.#path(name))
      else await unlink(this.#path(name)).catch(() => {})
    }
  }

  async hashes(): Promise<readonly string[]> {
    const folders = (await readdir(this.#folder)).filter((name) => /^[0-9a-f]{2}$/.test(name))
    const names: string[] = []
    for (const folder of folders) {
      const found = await readdir(join(this.#folder, folder)).catch(() => [])
      names.push(...found.filter((name) => HASH.test(name) && name.startsWith(folder)))
    }
    return names
  }

  close(): void {
    this.#isClosed = true
    // Until then, another server would take its files for those of a killed one.
    if (this.#receiving === 0) attempt(() => unlinkSync(this.#path(`${this.#server}.server`)))
  }

  #path(name: string): string {
    return join(this.#private, name)
  }

  #place(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash)
  }

  async #moveIn(hash: string, temp: string): Promise<void> {
    mkdirSync(join(this.#folder, hash.slice(0, 2)), { recursive: true })
    const place = this.#place(hash)
    try {
      await rename(temp, place)
    } catch (error) {
      // Windows replaces no file that is being read: it has the same content.
      const file = await openFile(place)
      if (!file) throw error
      await file.close()
      await unlink(temp)
    }
  }

  /** The moment between a commit and the move; of another server, too. */
  async #findTemp(hash: string): Promise<FileHandle | undefined> {
    const names = await readdir(this.#private).catch(() => [])
    const temp = names.find((name) => name.startsWith(`${hash}.`) && name.endsWith('.tmp'))
    if (temp === undefined) return undefined
    return (await openFile(this.#path(temp))) ?? openFile(this.#place(hash))
  }

  /** Ids of servers that run. Removes the names of others. */
  async #servers(): Promise<readonly string[]> {
    const names = await readdir(this.#private)
    return names.flatMap((name) => {
      if (!name.endsWith('.server')) return []
      const path = this.#path(name)
      const holder = attempt(() => readFileSync(path, 'utf8'))
      if (holder !== undefined && holderState(holder) !== 'dead') return name.slice(0, -'.server'.length)
      attempt(() => unlinkSync(path))
      return []
    })
  }
}

function openFile(path: string): Promise<FileHandle | undefined> {
  return open(path, READ).catch(unless('ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'EISDIR'))
}

/** Clients see the message, so it has no path. */
async function orFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const message = `The file could not be stored (${codeOf(cause) ?? 'unknown reason'}). Nothing was changed.`
    throw new StorageError('WRITE_FAILED', message, { cause })
  }
}
