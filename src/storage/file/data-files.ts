import { stat } from 'node:fs/promises'
import { Database } from '../data/database.ts'
import type { Data } from '../types.ts'
import type { DataFolder } from './data-folder.ts'
import type { DataFile } from './file-store.ts'
import { realPath, unless, versionOf } from './fs.ts'
import { finishSave, rescuePath } from './overwrite-file.ts'
import { finishRenames, hasNote } from './rename-note.ts'
import { ResourceFiles } from './resource-files.ts'
import type { StoredFile } from './stored-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { type Replacement, replaceFiles } from './write-file.ts'

/** Where the data is: one file, several, or all files of a folder. A save is all or nothing, and on disk before it resolves. */
export class DataFiles implements DataFile {
  readonly #resources: ResourceFiles
  readonly #isSaved: boolean
  /** What was read of changed files, until all of them can be read. */
  readonly #read = new Map<StoredFile, Data>()
  #id: string | undefined
  #isHeld = false
  /** Whether the data to save is based on what was read under the current lock. */
  #isChecked = false
  #isCleanedUp = false

  constructor(source: string | readonly string[] | DataFolder, isSaved = true) {
    this.#resources = new ResourceFiles(source)
    this.#isSaved = isSaved
  }

  get #files(): readonly StoredFile[] {
    return this.#resources.files
  }

  /** What is to be said at the start, a line each. */
  get remarks(): readonly string[] {
    return this.#resources.remarks
  }

  /** Whether changes of a resource are saved: its file may have what cannot be written back. */
  saves(resource: string): boolean {
    return this.#resources.saves(resource)
  }

  /** For startup. @param id the field that tells rows apart */
  async load(id?: string): Promise<Database> {
    this.#id = id
    const data = this.readSync()
    if (data) {
      this.#resources.database = Database.of(data)
      return this.#resources.database
    }
    await this.#resources.list()
    // A save that was cut off is finished even if nothing more will be saved: only then do the files fit together.
    if (!this.#isSaved && (await hasNote(this.#files.map(({ path }) => path))))
      await this.exclusive(async () => {}).catch(() => undefined)
    const database = (await this.read()) ?? new Database(new Map())
    this.#resources.acceptUnsaved()
    return database
  }

  /** Rows that a crash cut short, so that what any program appends next begins a line. If it fails, the next save leaves them out. */
  async cutUnfinished(): Promise<Database | undefined> {
    if (!this.#files.some(({ isCutShort }) => isCutShort)) return undefined
    return this.exclusive(async () => {
      for (const file of this.#files) await file.cutUnfinished()
      return (await this.read()) ?? undefined
    }).catch(() => undefined)
  }

  /** Of one JSON file; undefined for all others. */
  readSync(): Data | undefined {
    const { only } = this.#resources
    return only?.format === 'json' ? only.readSync() : undefined
  }

  async read(): Promise<Database | null> {
    const { only } = this.#resources
    if (only) {
      const data = await only.read()
      if (data) this.#resources.database = Database.of(data)
      return data && (this.#resources.database ?? null)
    }
    if (this.#isHeld || !this.#isSaved) return await this.#readAll()
    // Between the renames of another process, files do not fit together.
    return await this.exclusive(() => this.#readAll())
  }

  /** Rejects, with the files unchanged, with the system's error, or with `ChangedOutside` if one is not what we read under this lock. */
  async write(database: Database): Promise<void> {
    const restore = this.#resources.remember()
    try {
      await this.#save(database)
    } catch (error) {
      restore()
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#isChecked = this.#isHeld
    if (!this.#isHeld) await this.#resources.list()
    if (this.#resources.isOtherList || this.#read.size > 0) return true
    const changes = await Promise.all(this.#files.map((file) => file.changedOutside()))
    return changes.includes(true)
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    await this.#resources.list()
    const named = await Promise.all(
      this.#files.map(async (file) => ({ file, target: await realPath(file.path) })),
    )
    // In one order, whatever their names, so that two processes never wait for each other.
    named.sort((a, b) => Number(a.target > b.target) - Number(a.target < b.target))
    try {
      for (const [at, { file, target }] of named.entries()) {
        const other = named[at - 1]
        if (other?.target === target)
          throw this.#resources.clash(other.file, file, 'are the same file. Leave one of them out.')
        // In a folder that cannot be written, it can only be read, and others can be saved.
        await file.lock(target).catch(unless('EACCES', 'EROFS', 'EPERM'))
      }
      this.#isHeld = true
      await this.#cleanUp()
      return await work()
    } finally {
      this.#isHeld = false
      this.#isChecked = false
      await Promise.all(named.map(({ file }) => file.release()))
    }
  }

  async #readAll(): Promise<Database> {
    for (const file of this.#files) {
      if (!(await file.changedOutside())) continue
      const data = await file.read()
      if (data) this.#read.set(file, data)
    }
    const database = this.#resources.combine(this.#read)
    this.#read.clear()
    return database
  }

  async #save(database: Database): Promise<void> {
    const resources = this.#resources
    const isChecked = this.#isChecked
    const files = await resources.changedFiles(database, isChecked)
    const [file] = files
    if (file && files.length === 1 && (await file.append(resources.database, database, isChecked))) {
      resources.record(database)
      return
    }
    try {
      const replacements: Replacement[] = []
      for (const file of files) {
        replacements.push(await file.replacement(resources.contentOf(file, database), isChecked, this.#id))
      }
      const written = await replaceFiles(replacements, () => this.#assertOurs())
      for (const [at, file] of files.entries()) {
        const stats = written[at]
        file.recordSave(stats ? versionOf(stats) : null)
      }
      resources.record(database)
    } catch (error) {
      for (const file of files) await file.restoreLateEdit(isChecked)
      throw error
    }
  }

  async #assertOurs(): Promise<void> {
    for (const file of this.#files) await file.assertOurs()
  }

  /** Cleans up once after killed processes. Under the lock, no live process can be using the leftovers. */
  async #cleanUp(): Promise<void> {
    if (this.#isCleanedUp && !this.#files.some(({ held }) => held?.isTakenOver)) return
    const locks = this.#files.flatMap(({ held }) => held ?? [])
    await finishRenames(locks.map(({ target }) => target))
    await this.#resources.list()
    for (const { target, lockInode } of locks) {
      await removeLeftovers(target)
      const rescue = await stat(rescuePath(target)).catch(() => undefined)
      if (!rescue) continue
      await lockInode()
      await finishSave(target)
    }
    // Only now: if cleaning up failed, on a full disk for example, the next save tries again.
    this.#isCleanedUp = true
  }
}
