import type { Data } from '../types.ts'
import type { Engine } from './engine.ts'
import { countItems } from './read-rows.ts'
import { SnapshotFolder } from './snapshot-folder.ts'
import { describeSnapshot, describeSnapshots, type Snapshot, snapshotIds } from './snapshot-ids.ts'
import { writeOut } from './write-out.ts'

/** Copies of everything, by name: in a folder, or where the data is. Servers that share the data then share them. */
export interface Images {
  names(): Promise<readonly string[]>
  /** Makes one of the data as of now, under the first of these names that is not taken. Resolves with that name. */
  save(names: Iterable<string>): Promise<string>
  read(name: string): Promise<Data | undefined>
  remove(name: string): Promise<boolean>
}

export interface SnapshotsOptions {
  readonly directory: string
  readonly now: () => number
  /** Kept there instead, if the data's own place can. */
  readonly images: Images | undefined
}

export type Snapshots = ReturnType<typeof openSnapshots>

/** Copies of everything that one can go back to, named by the time they were saved at. */
export function openSnapshots(engine: Engine, { directory, now, images: own }: SnapshotsOptions) {
  const images = own ?? new SnapshotFolder(directory, () => writeOut(engine))

  /** Newest first. */
  async function list(): Promise<readonly Snapshot[]> {
    return describeSnapshots(await images.names())
  }

  return {
    list,

    async save(): Promise<Snapshot> {
      return describeSnapshot(await images.save(snapshotIds(now())))
    },

    async find(id: string): Promise<Snapshot | undefined> {
      return (await list()).find((snapshot) => snapshot.id === id)
    },

    /** Resolves with how many rows each collection has again; undefined if there is no snapshot with that id. */
    async restore(id: string): Promise<Readonly<Record<string, number>> | undefined> {
      const data = await images.read(id)
      if (data === undefined) return undefined
      await engine.write({ kind: 'replace-database', data })
      return countItems(data)
    },

    remove: (id: string): Promise<boolean> => images.remove(id),
  }
}
