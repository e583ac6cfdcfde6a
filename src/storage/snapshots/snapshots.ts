import type { Engine } from '../engine/engine.ts'
import { countItems } from '../engine/read-rows.ts'
import { writeOut } from '../engine/write-out.ts'
import type { Data } from '../types.ts'
import { describeSnapshot, describeSnapshots, type Snapshot, snapshotIds } from './snapshot.ts'
import { SnapshotFolder } from './snapshot-folder.ts'

/** How many rows each collection has. */
type Counts = Readonly<Record<string, number>>

/** Copies of everything that one can go back to, named by the time they were saved at. */
export interface Snapshots {
  /** All or nothing. */
  save(): Promise<Snapshot>
  /** Every snapshot, newest first. */
  list(): Promise<readonly Snapshot[]>
  /** The details of one snapshot; undefined if there is none with that id. */
  find(id: string): Promise<Snapshot | undefined>
  /** Replaces all data. Resolves with what is there again, or undefined if there is no snapshot with that id. */
  restore(id: string): Promise<Counts | undefined>
  /** False if there is none with that id. */
  remove(id: string): Promise<boolean>
}

/** Copies of everything, by name, that are kept where the data is. Servers that share the data share them. */
export interface Images {
  names(): Promise<readonly string[]>
  /** Makes one of the data as of now, under the first of these names that is not taken. Resolves with that name. */
  save(names: Iterable<string>): Promise<string>
  /** What is in one; undefined if there is none of that name. */
  read(name: string): Promise<Data | undefined>
  /** False if there is none of that name. */
  remove(name: string): Promise<boolean>
}

export interface SnapshotsOptions {
  /** For files; made with the first one. */
  readonly directory: string
  /** Tells the time that snapshots are named by. */
  readonly now: () => number
  /** Kept there instead, if the data's own place can. */
  readonly images: Images | undefined
}

export function openSnapshots(engine: Engine, { directory, now, images }: SnapshotsOptions): Snapshots {
  return images ? new KeptSnapshots(engine, images, now) : new FileSnapshots(engine, directory, now)
}

class KeptSnapshots implements Snapshots {
  readonly #engine: Engine
  readonly #images: Images
  readonly #now: () => number

  constructor(engine: Engine, images: Images, now: () => number) {
    this.#engine = engine
    this.#images = images
    this.#now = now
  }

  async save(): Promise<Snapshot> {
    return describeSnapshot(await this.#images.save(snapshotIds(this.#now())))
  }

  async list(): Promise<readonly Snapshot[]> {
    return describeSnapshots(await this.#images.names())
  }

  async find(id: string): Promise<Snapshot | undefined> {
    return (await this.list()).find((snapshot) => snapshot.id === id)
  }

  async restore(id: string): Promise<Counts | undefined> {
    return restore(this.#engine, await this.#images.read(id))
  }

  remove(id: string): Promise<boolean> {
    return this.#images.remove(id)
  }
}

async function restore(engine: Engine, data: Data | undefined): Promise<Counts | undefined> {
  if (data === undefined) return undefined
  await engine.write({ kind: 'replace-database', data })
  return countItems(data)
}

class FileSnapshots implements Snapshots {
  readonly #engine: Engine
  readonly #folder: SnapshotFolder

  constructor(engine: Engine, directory: string, now: () => number) {
    this.#engine = engine
    this.#folder = new SnapshotFolder(directory, now)
  }

  async save(): Promise<Snapshot> {
    return this.#folder.save(await writeOut(this.#engine))
  }

  list(): Promise<readonly Snapshot[]> {
    return this.#folder.list()
  }

  find(id: string): Promise<Snapshot | undefined> {
    return this.#folder.find(id)
  }

  async restore(id: string): Promise<Counts | undefined> {
    return restore(this.#engine, await this.#folder.read(id))
  }

  remove(id: string): Promise<boolean> {
    return this.#folder.remove(id)
  }
}
