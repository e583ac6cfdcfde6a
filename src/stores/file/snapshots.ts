import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '../../core/engine/engine.ts'
import { countItems } from '../../core/engine/read-rows.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { decodeText, parseLongDocument } from '../formats/load.ts'
import { Serializer } from '../formats/serialize.ts'
import { codeOf, unless } from './fs.ts'
import { readRegular } from './regular-file.ts'
import { writeNewFile } from './temp-files.ts'

/** Snapshots by name: in a folder, or beside the data, where servers that share the data share them. */
export interface Images {
  names(): Promise<readonly string[]>
  /** Saves the current data under the first of these names that is free. Resolves with that name. */
  save(names: Iterable<string>): Promise<string>
  read(name: string): Promise<Data | undefined>
  remove(name: string): Promise<boolean>
}

export interface SnapshotsOptions {
  readonly directory: string
  readonly now: () => number
  readonly images: Images | undefined
}

export type Snapshots = ReturnType<typeof openSnapshots>

export function openSnapshots(engine: Engine, { directory, now, images: own }: SnapshotsOptions) {
  const images = own ?? new SnapshotFolder(directory, () => writeOut(engine))

  /** Newest first. */
  async function list(): Promise<readonly Snapshot[]> {
    return (await images.names()).filter(isSnapshotId).sort(newestFirst).map(describeSnapshot)
  }

  return {
    list,

    async save(): Promise<Snapshot> {
      return describeSnapshot(await images.save(snapshotIds(now())))
    },

    async find(id: string): Promise<Snapshot | undefined> {
      return (await list()).find((snapshot) => snapshot.id === id)
    },

    /** Resolves with the rows per collection; undefined if there is no such snapshot. */
    async restore(id: string): Promise<Readonly<Record<string, number>> | undefined> {
      const data = await images.read(id)
      if (data === undefined) return undefined
      await engine.write({ kind: 'replace-database', data }, { isReset: true })
      return countItems(data)
    },

    remove: (id: string): Promise<boolean> => images.remove(id),
  }
}

/** All data as JSON. */
export async function writeOut(engine: Engine): Promise<readonly Uint8Array[]> {
  await engine.catchUp()
  return new Serializer().serialize(engine.database)
}

export interface Snapshot {
  /** `db-1700000000000`, or `db-1700000000000-1` for the second in the same millisecond. */
  readonly id: string
  readonly file: string
  readonly createdAt: string
}

const ID = /^db-(\d{1,15})(?:-(\d{1,6}))?$/

/** Never a path that leads out of a directory. */
export function isSnapshotId(text: string): boolean {
  return ID.test(text)
}

/** Candidates for one millisecond, best first. */
function* snapshotIds(time: number): Generator<string> {
  yield `db-${time}`
  for (let count = 1; count < 1_000_000; count += 1) yield `db-${time}-${count}`
}

function describeSnapshot(id: string): Snapshot {
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

const ENDING = '.json'

/** Named by time, as with json-server's "s" + Enter. */
export class SnapshotFolder implements Images {
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
    if (!contents) return undefined
    return (await parseLongDocument(decodeText(contents.bytes, title), title, (value) => value)).data
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

  /** Symbolic links do not count: they could point anywhere. */
  async #fileOf(name: string): Promise<string | undefined> {
    if (!isSnapshotId(name)) return undefined
    const file = join(this.#directory, `${name}${ENDING}`)
    const stats = await lstat(file).catch(unless('ENOENT', 'ENOTDIR'))
    return stats?.isFile() ? file : undefined
  }
}

/** With the system's error code, but not its message, which contains paths. */
function writeFailed(what: string, error: unknown): StorageError {
  const message = `The snapshot could not be ${what} (${codeOf(error) ?? 'unknown reason'}): check its directory and the disk`
  return new StorageError('WRITE_FAILED', message, { cause: error })
}
