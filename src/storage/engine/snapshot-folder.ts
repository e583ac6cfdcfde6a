import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '../../catalogue/error-classes.ts'
import { codeOf, unless } from '../file/fs.ts'
import { readRegular } from '../file/regular-file.ts'
import { writeNewFile } from '../file/write-file.ts'
import { decodeText, parseLongData } from '../json/load.ts'
import type { Data } from '../types.ts'
import { isSnapshotId } from './snapshot-ids.ts'

const ENDING = '.json'

/** A directory of copies of the database, named by time as with json-server's "s" + Enter. */
export class SnapshotFolder {
  readonly #directory: string
  readonly #serialize: () => Promise<readonly Uint8Array[]>

  constructor(directory: string, serialize: () => Promise<readonly Uint8Array[]>) {
    this.#directory = directory
    this.#serialize = serialize
  }

  async names(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch(unless('ENOENT', 'ENOTDIR'))
    const files = (entries ?? []).filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    return files.map(({ name }) => name.slice(0, -ENDING.length))
  }

  async save(names: Iterable<string>): Promise<string> {
    const chunks = await this.#serialize()
    try {
      await mkdir(this.#directory, { recursive: true })
      return await writeNewFile(this.#directory, chunks, names, ENDING)
    } catch (error) {
      throw writeFailed('saved', error)
    }
  }

  async read(name: string): Promise<Data | undefined> {
    const file = await this.#fileOf(name)
    if (file === undefined) return undefined
    const title = `Snapshot ${name}`
    const contents = await readRegular(file, title).catch(unless('ENOENT', 'ENOTDIR'))
    return contents && parseLongData(decodeText(contents.bytes, title), title)
  }

  async remove(name: string): Promise<boolean> {
    const file = await this.#fileOf(name)
    if (file === undefined) return false
    try {
      await rm(file, { force: true })
      return true
    } catch (error) {
      throw writeFailed('deleted', error)
    }
  }

  /** The path of an existing snapshot. Symbolic links do not count: they could point anywhere. */
  async #fileOf(name: string): Promise<string | undefined> {
    if (!isSnapshotId(name)) return undefined
    const file = join(this.#directory, `${name}${ENDING}`)
    const found = await lstat(file).catch(unless('ENOENT', 'ENOTDIR'))
    return found?.isFile() ? file : undefined
  }
}

/** Includes the system's error code, but not its message, which contains paths. */
function writeFailed(what: string, error: unknown): StorageError {
  const message = `The snapshot could not be ${what} (${codeOf(error) ?? 'unknown reason'}): check its directory and the disk`
  return new StorageError('WRITE_FAILED', message, { cause: error })
}
