import type { Counts, Engine } from '../engine.ts'
import { writeOut } from '../json/write-out.ts'
import { countItems } from '../read-rows.ts'
import { describeSnapshot, describeSnapshots, type Snapshot, snapshotIds } from './snapshot.ts'
import { SnapshotFolder } from './snapshot-folder.ts'

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

export interface SnapshotsOptions {
  /** For files; made with the first one. */
  readonly directory: string
  /** Tells the time that snapshots are named by. */
  readonly now: () => number
}

/** Where the engine keeps copies of its data itself, they are beside it, for all who share it; else in files. */
export function openSnapshots(engine: Engine, { directory, now }: SnapshotsOptions): Snapshots {
  return engine.images ? new KeptSnapshots(engine.images, now) : new FileSnapshots(engine, directory, now)
}

class KeptSnapshots implements Snapshots {
  readonly #images: NonNullable<Engine['images']>
  readonly #now: () => number

  constructor(images: NonNullable<Engine['images']>, now: () => number) {
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

  restore(id: string): Promise<Counts | undefined> {
    return this.#images.restore(id)
  }

  remove(id: string): Promise<boolean> {
    return this.#images.remove(id)
  }
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
    const data = await this.#folder.read(id)
    if (data === undefined) return undefined
    await this.#engine.write({ kind: 'replace-database', data })
    return countItems(data)
  }

  remove(id: string): Promise<boolean> {
    return this.#folder.remove(id)
  }
}
