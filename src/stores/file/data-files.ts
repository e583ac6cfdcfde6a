import { Database } from '../../core/engine/data/database.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { IdNames } from '../formats/align.ts'
import type { DataFolder } from './data-folder.ts'
import type { DataFile } from './file-store.ts'
import { realPath, unless, versionOf } from './fs.ts'
import { type Contents, ResourceFiles } from './resource-files.ts'
import type { StoredFile } from './stored-file.ts'
import { replaceFiles } from './write-file.ts'

const unlessReadOnly = unless('EACCES', 'EROFS', 'EPERM')

/** Where the data is: one file, several, or all files of a folder. A save is on disk before it resolves; if it fails, all files are unchanged. */
export class DataFiles extends ResourceFiles implements DataFile {
  readonly #isSaved: boolean
  #ids: IdNames | undefined
  #isHeld = false
  #replacesAll = false

  constructor(source: string | readonly string[] | DataFolder, isSaved = true) {
    super(source)
    this.#isSaved = isSaved
  }

  /** For startup. @param ids the fields that tell rows apart */
  async load(ids?: IdNames): Promise<Database> {
    this.#ids = ids
    const { only } = this
    const data = this.readSync()
    if (only && data) return this.combine(new Map([[only, data]]))
    await this.list()
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

  get fault(): StorageError | undefined {
    return this.files.find(({ fault }) => fault)?.fault
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
      const isAppended =
        file !== undefined && files.length === 1 && (await file.append(this.database, database))
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
    for (const file of this.files) if (await file.changedOutside()) return true
    this.#setChecked(this.#isHeld)
    return false
  }

  async exclusive<T>(work: () => Promise<T>, replacesAll = false): Promise<T> {
    await this.list()
    for (const file of this.files) if (replacesAll) file.fault = undefined
    const locked: StoredFile[] = []
    try {
      const targets = await this.#targets()
      for (const [target, file] of targets) {
        // In a folder that cannot be written, it can only be read, and others can be saved.
        await file.lock(target).catch(unlessReadOnly)
        locked.push(file)
        if (!file.isCleanedUp || file.held?.isTakenOver) await file.cleanUp()
      }
      this.#isHeld = true
      this.#replacesAll = replacesAll
      return await work()
    } finally {
      this.#isHeld = false
      this.#replacesAll = false
      for (const file of locked) await file.release()
    }
  }

  /** By their real paths, in one order, whatever their names, so that two processes never wait for each other. */
  async #targets(): Promise<ReadonlyMap<string, StoredFile>> {
    const targets = new Map<string, StoredFile>()
    for (const file of this.files) {
      const target = await realPath(file.path)
      const other = targets.get(target)
      if (other) throw this.clash(other, file, 'are the same file. Leave one of them out.')
      targets.set(target, file)
    }
    return new Map([...targets].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  async #readAll(): Promise<Database> {
    for (const file of this.files) {
      if (!(await file.changedOutside())) continue
      try {
        const data = await file.read()
        file.fault = undefined
        if (data) this.pending.set(file, data)
      } catch (error) {
        if (!this.database || this.#replacesAll || !(error instanceof StorageError)) throw error
        file.fault = error
      }
    }
    const isSame = this.pending.size === 0 && !this.isOtherList
    const database = (isSame && this.database) || this.combine(this.pending)
    this.pending.clear()
    this.#setChecked(this.#isHeld)
    return database
  }

  /** Files that cannot be read are replaced only by a change that replaces everything. */
  #setChecked(isChecked: boolean): void {
    for (const file of this.files) file.isChecked = isChecked && !file.fault
  }

  async #replace(files: readonly StoredFile[], contents: Contents): Promise<void> {
    const replacements = []
    for (const file of files) {
      replacements.push(await file.replacement(this.contentOf(file, contents), this.#ids))
    }
    const written = await replaceFiles(replacements, async () => {
      for (const file of this.files) await file.assertOurs()
    })
    for (const [at, file] of files.entries()) {
      const stats = written[at]?.written
      file.recordSave(stats ? versionOf(stats) : null)
    }
  }
}
