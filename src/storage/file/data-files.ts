import { stat } from 'node:fs/promises'
import { Database } from '../data/database.ts'
import type { Data } from '../types.ts'
import type { DataFolder } from './data-folder.ts'
import type { DataFile } from './file-store.ts'
import { realPath, unless, versionOf } from './fs.ts'
import { finishSave, rescuePath } from './overwrite-file.ts'
import { finishRenames, hasNote } from './rename-note.ts'
import { type Contents, ResourceFiles } from './resource-files.ts'
import type { StoredFile } from './stored-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { type Replacement, replaceFiles } from './write-file.ts'

/** Where the data is: one file, several, or all files of a folder. A save is all or nothing, and on disk before it resolves. */
export class DataFiles extends ResourceFiles implements DataFile {
  readonly #isSaved: boolean
  #id: string | undefined
  #isHeld = false
  #isCleanedUp = false

  constructor(source: string | readonly string[] | DataFolder, isSaved = true) {
    super(source)
    this.#isSaved = isSaved
  }

  /** For startup. @param id the field that tells rows apart */
  async load(id?: string): Promise<Database> {
    this.#id = id
    const { only } = this
    const data = this.readSync()
    if (only && data) return this.combine(new Map([[only, data]]))
    await this.list()
    // A save that was cut off is finished even if nothing more will be saved: only then do the files fit together.
    if (!this.#isSaved && (await hasNote(this.files.map(({ path }) => path))))
      await this.exclusive(async () => {}).catch(() => undefined)
    const database = (await this.read()) ?? new Database(new Map())
    this.acceptUnsaved()
    return database
  }

  /** Rows that a crash cut short, so that what any program appends next begins a line. If it fails, the next save leaves them out. */
  async cutUnfinished(): Promise<Database | undefined> {
    if (!this.files.some(({ isCutShort }) => isCutShort)) return undefined
    return this.exclusive(async () => {
      for (const file of this.files) await file.cutUnfinished()
      return (await this.read()) ?? undefined
    }).catch(() => undefined)
  }

  /** Of one JSON file; undefined for all others. */
  readSync(): Data | undefined {
    return this.only?.format === 'json' ? this.only.readSync() : undefined
  }

  async read(): Promise<Database | null> {
    const { only } = this
    if (only) {
      const data = await only.read()
      this.#setChecked(this.#isHeld)
      return data && this.combine(new Map([[only, data]]))
    }
    if (this.#isHeld || !this.#isSaved) return await this.#readAll()
    // Between the renames of another process, files do not fit together.
    return await this.exclusive(() => this.#readAll())
  }

  /** Rejects, with the files unchanged, with the system's error, or with `ChangedOutside` if one is not what we read under this lock. */
  async write(database: Database): Promise<void> {
    const contents = this.contentsOf(database)
    const files = await this.changedFiles(contents)
    const [file] = files
    try {
      const isAppended = files.length === 1 && (await file?.append(this.database, database))
      if (!isAppended) await this.#replace(files, contents)
      this.record(database, contents)
      this.pending.clear()
    } catch (error) {
      for (const file of files) await file.restoreLateEdit()
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#setChecked(false)
    if (!this.#isHeld) await this.list()
    if (this.isOtherList || this.pending.size > 0) return true
    const changes = await Promise.all(this.files.map((file) => file.changedOutside()))
    const isChanged = changes.includes(true)
    if (!isChanged) this.#setChecked(this.#isHeld)
    return isChanged
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    await this.list()
    const named = await Promise.all(
      this.files.map(async (file) => ({ file, target: await realPath(file.path) })),
    )
    // In one order, whatever their names, so that two processes never wait for each other.
    named.sort((a, b) => Number(a.target > b.target) - Number(a.target < b.target))
    try {
      for (const [at, { file, target }] of named.entries()) {
        const other = named[at - 1]
        if (other?.target === target)
          throw this.clash(other.file, file, 'are the same file. Leave one of them out.')
        // In a folder that cannot be written, it can only be read, and others can be saved.
        await file.lock(target).catch(unless('EACCES', 'EROFS', 'EPERM'))
      }
      this.#isHeld = true
      await this.#cleanUp()
      return await work()
    } finally {
      this.#isHeld = false
      await Promise.all(named.map(({ file }) => file.release()))
    }
  }

  async #readAll(): Promise<Database> {
    for (const file of this.files) {
      if (!(await file.changedOutside())) continue
      const data = await file.read()
      if (data) this.pending.set(file, data)
    }
    const database = this.combine(this.pending)
    this.pending.clear()
    this.#setChecked(this.#isHeld)
    return database
  }

  /** What cannot be read is replaced only by what replaces everything, and then whatever is there. */
  #setChecked(isChecked: boolean): void {
    for (const file of this.files) file.isChecked = isChecked
  }

  async #replace(files: readonly StoredFile[], contents: Contents): Promise<void> {
    const replacements: Replacement[] = []
    for (const file of files) {
      replacements.push(await file.replacement(this.contentOf(file, contents), this.#id))
    }
    const written = await replaceFiles(replacements, () => this.#assertOurs())
    for (const [at, file] of files.entries()) {
      const stats = written[at]
      file.recordSave(stats ? versionOf(stats) : null)
    }
  }

  async #assertOurs(): Promise<void> {
    for (const file of this.files) await file.assertOurs()
  }

  /** Cleans up once after killed processes. Under the lock, no live process can be using the leftovers. */
  async #cleanUp(): Promise<void> {
    if (this.#isCleanedUp && !this.files.some(({ held }) => held?.isTakenOver)) return
    const locks = this.files.flatMap(({ held }) => held ?? [])
    await finishRenames(locks.map(({ target }) => target))
    await this.list()
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
