import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StorageError } from '../../errors.ts'
import { codeOf, unless } from '../disk/fs.ts'
import { readRegular } from '../disk/regular-file.ts'
import { writeNewFile } from '../disk/write-new-file.ts'
import { decodeText, parseDataInSlices } from '../json/load.ts'
import type { Data } from '../types.ts'

export interface Snapshot {
  /** `db-1700000000000`, or `db-1700000000000-1` for the second in the same millisecond. */
  readonly id: string
  /** The file name inside the directory. */
  readonly file: string
  /** ISO 8601. */
  readonly createdAt: string
}

const ID = /^db-(\d{1,15})(?:-(\d{1,6}))?$/

/** A directory of copies of the database, named by time as with json-server's "s" + Enter. */
export class Snapshots {
  readonly directory: string
  readonly #clock: () => number

  /** @param clock tells the time that snapshots are named by */
  constructor(directory: string, clock: () => number) {
    this.directory = resolve(directory)
    this.#clock = clock
  }

  /** Whether a string is a valid snapshot id. Nothing that could lead out of the directory is. */
  static isId(text: string): boolean {
    return ID.test(text)
  }

  /** Saves a serialized database, all or nothing; creates the directory if it is missing. */
  async save(chunks: readonly Uint8Array[]): Promise<Snapshot> {
    try {
      await mkdir(this.directory, { recursive: true })
      const file = await writeNewFile(this.directory, chunks, fileNames(this.#clock()))
      return describe(idOf(file))
    } catch (error) {
      throw writeFailed('saved', error)
    }
  }

  /** Every snapshot, newest first. */
  async list(): Promise<Snapshot[]> {
    const entries = await readdir(this.directory, { withFileTypes: true }).catch(unless('ENOENT', 'ENOTDIR'))
    return (entries ?? [])
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => idOf(entry.name))
      .filter(Snapshots.isId)
      .sort(newestFirst)
      .map(describe)
  }

  /** The details of one snapshot; undefined if there is none with that id. */
  async find(id: string): Promise<Snapshot | undefined> {
    return (await this.#fileOf(id)) === undefined ? undefined : describe(id)
  }

  /** The database in a snapshot; undefined if there is none with that id. */
  async read(id: string): Promise<Data | undefined> {
    const file = await this.#fileOf(id)
    if (file === undefined) return undefined
    const name = `Snapshot ${id}`
    const contents = await readRegular(file, name).catch(unless('ENOENT', 'ENOTDIR'))
    return contents && parseDataInSlices(decodeText(contents.bytes, name), name)
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
    if (!Snapshots.isId(id)) return undefined
    const file = join(this.directory, `${id}.json`)
    const found = await lstat(file).catch(unless('ENOENT', 'ENOTDIR'))
    return found?.isFile() ? file : undefined
  }
}

/** Candidate names for one millisecond, best first. */
function* fileNames(time: number): Generator<string> {
  yield `db-${time}.json`
  for (let count = 1; count < 1_000_000; count += 1) yield `db-${time}-${count}.json`
}

function idOf(file: string): string {
  return file.slice(0, -'.json'.length)
}

function describe(id: string): Snapshot {
  return { id, file: `${id}.json`, createdAt: new Date(partsOf(id).time).toISOString() }
}

function newestFirst(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  return other.time - one.time || other.count - one.count
}

function partsOf(id: string): { time: number; count: number } {
  const [, time, count] = ID.exec(id) ?? []
  return { time: Number(time), count: Number(count ?? 0) }
}

/** Includes the system's error code, but not its message, which contains paths. */
function writeFailed(what: string, error: unknown): StorageError {
  const message = `The snapshot could not be ${what} (${codeOf(error) ?? 'unknown reason'}): check its directory and the disk`
  return new StorageError('WRITE_FAILED', message, { cause: error })
}
