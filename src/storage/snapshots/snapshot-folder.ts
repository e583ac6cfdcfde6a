import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StorageError } from '../../errors.ts'
import { codeOf, unless } from '../disk/fs.ts'
import { readRegular } from '../disk/regular-file.ts'
import { writeNewFile } from '../disk/write-new-file.ts'
import { decodeText, parseLongData } from '../json/load.ts'
import type { Data } from '../types.ts'
import { describeSnapshot, describeSnapshots, isSnapshotId, type Snapshot, snapshotIds } from './snapshot.ts'

/** A directory of copies of the database, named by time as with json-server's "s" + Enter. */
export class SnapshotFolder {
  readonly directory: string
  readonly #clock: () => number

  /** @param clock tells the time that snapshots are named by */
  constructor(directory: string, clock: () => number) {
    this.directory = resolve(directory)
    this.#clock = clock
  }

  /** Saves a serialized database, all or nothing; creates the directory if it is missing. */
  async save(chunks: readonly Uint8Array[]): Promise<Snapshot> {
    try {
      await mkdir(this.directory, { recursive: true })
      const file = await writeNewFile(this.directory, chunks, fileNames(snapshotIds(this.#clock())))
      return describeSnapshot(idOf(file))
    } catch (error) {
      throw writeFailed('saved', error)
    }
  }

  /** Every snapshot, newest first. */
  async list(): Promise<Snapshot[]> {
    const entries = await readdir(this.directory, { withFileTypes: true }).catch(unless('ENOENT', 'ENOTDIR'))
    const files = (entries ?? []).filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    return describeSnapshots(files.map((entry) => idOf(entry.name)))
  }

  /** The details of one snapshot; undefined if there is none with that id. */
  async find(id: string): Promise<Snapshot | undefined> {
    return (await this.#fileOf(id)) === undefined ? undefined : describeSnapshot(id)
  }

  /** The database in a snapshot; undefined if there is none with that id. */
  async read(id: string): Promise<Data | undefined> {
    const file = await this.#fileOf(id)
    if (file === undefined) return undefined
    const name = `Snapshot ${id}`
    const contents = await readRegular(file, name).catch(unless('ENOENT', 'ENOTDIR'))
    return contents && parseLongData(decodeText(contents.bytes, name), name)
  }

  /** Deletes a snapshot; false if there is none with that id. */
  async remove(id: string): Promise<boolean> {
    const file = await this.#fileOf(id)
    if (file === undefined) return false
    try {
      await rm(file, { force: true })
      return true
    } catch (error) {
      throw writeFailed('deleted', error)
    }
  }

  /** The path of an existing snapshot. Symbolic links do not count: they could point anywhere. */
  async #fileOf(id: string): Promise<string | undefined> {
    if (!isSnapshotId(id)) return undefined
    const file = join(this.directory, `${id}.json`)
    const found = await lstat(file).catch(unless('ENOENT', 'ENOTDIR'))
    return found?.isFile() ? file : undefined
  }
}

function* fileNames(ids: Iterable<string>): Generator<string> {
  for (const id of ids) yield `${id}.json`
}

function idOf(file: string): string {
  return file.slice(0, -'.json'.length)
}

/** Includes the system's error code, but not its message, which contains paths. */
function writeFailed(what: string, error: unknown): StorageError {
  const message = `The snapshot could not be ${what} (${codeOf(error) ?? 'unknown reason'}): check its directory and the disk`
  return new StorageError('WRITE_FAILED', message, { cause: error })
}
