import { stat } from 'node:fs/promises'
import { StorageError } from '../../catalogue/error-classes.ts'
import { isSameJson } from '../../json/values.ts'
import { Database, type Part } from '../data/database.ts'
import { Table } from '../data/table.ts'
import { invalid } from '../formats/load.ts'
import { asStored } from '../rules/served-fields.ts'
import type { Data } from '../types.ts'
import { DataFolder } from './data-folder.ts'
import type { DataFile } from './file-store.ts'
import { realPath, unless, versionOf } from './fs.ts'
import { finishSave, rescuePath } from './overwrite-file.ts'
import { finishRenames, hasNote } from './rename-note.ts'
import { StoredFile } from './stored-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { type Replacement, replaceFiles } from './write-file.ts'

/** Where the data is: one file, several, or all files of a folder. A save is all or nothing, and on disk before it resolves. */
export class DataFiles implements DataFile {
  readonly #folder: DataFolder | undefined
  readonly #isSaved: boolean
  readonly #isAlone: boolean
  #files: readonly StoredFile[]
  /** What was read or saved last. */
  #database: Database | undefined
  /** What each file holds of it, if it is not alone. */
  #parts = new Map<StoredFile, ReadonlyMap<string, Part>>()
  /** What was read of changed files, until all of them can be read. */
  readonly #read = new Map<StoredFile, Data>()
  #id: string | undefined
  #isHeld = false
  /** Whether the data to save is based on what was read under the current lock. */
  #isChecked = false
  /** Served without saving from the start, which says so. */
  #unsaved: ReadonlySet<StoredFile> = new Set()
  #isCleanedUp = false
  #isOtherList = false

  constructor(source: string | readonly string[] | DataFolder, isSaved = true) {
    const paths = source instanceof DataFolder ? [] : [source].flat()
    this.#folder = source instanceof DataFolder ? source : undefined
    this.#isSaved = isSaved
    this.#isAlone = paths.length === 1
    this.#files = paths.map((path) => new StoredFile(path, this.#isAlone))
  }

  /** What is to be said at the start, a line each. */
  get remarks(): readonly string[] {
    return [
      ...(this.#folder?.remarks ?? []),
      ...this.#files.flatMap(({ name, remark, unsaved }) => [
        ...(remark === undefined ? [] : [`${name} ${remark}`]),
        ...(unsaved === undefined ? [] : [`${name} is served without saving changes: ${unsaved}.`]),
      ]),
    ]
  }

  /** For startup. @param id the field that tells rows apart */
  async load(id?: string): Promise<Database> {
    this.#id = id
    const [file] = this.#files
    if (this.#isAlone && file?.format === 'json') {
      this.#database = Database.of(file.readSync())
      return this.#database
    }
    await this.#list()
    // A save that was cut off is finished even if nothing more will be saved: only then do the files fit together.
    if (!this.#isSaved && (await hasNote(this.#files.map(({ path }) => path))))
      await this.exclusive(async () => {}).catch(() => undefined)
    const database = (await this.read()) ?? new Database(new Map())
    this.#unsaved = new Set(this.#files.filter(({ unsaved }) => unsaved !== undefined))
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
    const [file] = this.#files
    return this.#isAlone && file?.format === 'json' ? file.readSync() : undefined
  }

  async read(): Promise<Database | null> {
    const [file] = this.#files
    if (this.#isAlone && file) {
      const data = await file.read()
      if (data) this.#database = Database.of(data)
      return data && (this.#database ?? null)
    }
    if (this.#isHeld || !this.#isSaved) return await this.#readAll()
    // Between the renames of another process, files do not fit together.
    return await this.exclusive(() => this.#readAll())
  }

  /** Rejects, with the files unchanged, with the system's error, or with `ChangedOutside` if one is not what we read under this lock. */
  async write(database: Database): Promise<void> {
    const [list, parts] = [this.#files, new Map(this.#parts)]
    try {
      await this.#save(database)
    } catch (error) {
      this.#files = list
      this.#parts = parts
      throw error
    }
  }

  async #save(database: Database): Promise<void> {
    const [first] = this.#files
    const isOne = this.#isAlone && first?.unsaved === undefined && first?.resource === undefined
    const files = isOne ? this.#files : await this.#changedFiles(database)
    const [file] = files
    if (file && files.length === 1 && (await file.append(this.#database, database, this.#isChecked))) {
      this.#record(database)
      return
    }
    try {
      const replacements: Replacement[] = []
      for (const file of files) {
        const own = this.#ownPart(file, database)
        // Files that are named in settings have to be there.
        const isRemoved =
          this.#folder !== undefined && [...own.parts.keys()].every((name) => name === '$schema')
        replacements.push(await file.replacement(isRemoved ? undefined : own, this.#isChecked, this.#id))
      }
      const written = await replaceFiles(replacements, () => this.#assertOurs())
      for (const [at, file] of files.entries()) {
        const stats = written[at]
        file.recordSave(stats ? versionOf(stats) : null)
      }
      this.#record(database)
    } catch (error) {
      for (const file of files) await file.restoreLateEdit(this.#isChecked)
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#isChecked = this.#isHeld
    if (!this.#isHeld) await this.#list()
    if (this.#isOtherList || this.#read.size > 0) return true
    const changes = await Promise.all(this.#files.map((file) => file.changedOutside()))
    return changes.includes(true)
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    await this.#list()
    const named = await Promise.all(
      this.#files.map(async (file) => ({ file, target: await realPath(file.path) })),
    )
    // In one order, whatever their names, so that two processes never wait for each other.
    named.sort((a, b) => Number(a.target > b.target) - Number(a.target < b.target))
    try {
      for (const [at, { file, target }] of named.entries()) {
        const other = named[at - 1]
        if (other?.target === target)
          throw this.#clash(other.file, file, 'are the same file. Leave one of them out.')
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
    const parts = new Map<StoredFile, ReadonlyMap<string, Part>>()
    const owners = new Map<string, StoredFile>()
    for (const file of this.#files) {
      if (this.#folder && file.isGone) continue
      const data = this.#read.get(file)
      const own = data ? Database.of(data).parts : (this.#parts.get(file) ?? new Map())
      for (const name of own.keys()) {
        const other = owners.get(name)
        if (other && name !== '$schema')
          throw this.#clash(other, file, `both hold ${name}. Rename one of them.`)
        owners.set(name, file)
      }
      parts.set(file, own)
    }
    this.#read.clear()
    this.#isOtherList = false
    this.#parts = parts
    this.#database = new Database(new Map([...parts.values()].flatMap((own) => [...own])))
    return this.#database
  }

  /** At the start, messages are for the terminal, and name paths. */
  #clash(one: StoredFile, other: StoredFile, how: string): StorageError {
    const [first, second] = this.#database ? [one.name, other.name] : [one.path, other.path]
    return invalid(`${first} and ${second} ${how}`)
  }

  #record(database: Database): void {
    this.#database = database
    if (this.#isAlone) return
    for (const file of this.#files)
      if (file.isKnown) this.#parts.set(file, this.#ownPart(file, database).parts)
    if (this.#folder) this.#files = this.#files.filter(({ isGone }) => !isGone)
  }

  /** With rows that differ, or that is not as it was saved last. */
  async #changedFiles(database: Database): Promise<readonly StoredFile[]> {
    const before = this.#database?.parts ?? new Map<string, Part>()
    const changed = new Set<StoredFile>()
    for (const [name, part] of database.parts) {
      if (!isSamePart(before.get(name), part)) changed.add(this.#homeOf(name) ?? this.#newHome(name, part))
    }
    for (const name of before.keys()) {
      const home = database.parts.has(name) ? undefined : this.#homeOf(name)
      if (home) changed.add(home)
    }
    for (const file of this.#files) {
      // One that came meanwhile and was never read is left alone.
      if (file.isKnown && (file.isGone || (!this.#isChecked && (await file.changedOutside()))))
        changed.add(file)
    }
    for (const file of changed) {
      if (file.unsaved === undefined || this.#unsaved.has(file)) continue
      const message = `${file.name} cannot be saved: ${file.unsaved}. Correct it; or restart, to serve it without saving.`
      throw new StorageError('WRITE_FAILED', message)
    }
    return [...changed].filter(({ unsaved }) => unsaved === undefined)
  }

  /** Whether changes of a resource are saved: its file may have what cannot be written back. */
  saves(resource: string): boolean {
    return (this.#homeOf(resource) ?? this.#shared)?.unsaved === undefined
  }

  /** A file of collections, for what has none of its own. */
  get #shared(): StoredFile | undefined {
    return this.#files.find(({ resource }) => resource === undefined)
  }

  #homeOf(name: string): StoredFile | undefined {
    return this.#files.find(
      (file) => file.isKnown && (file.resource === name || this.#parts.get(file)?.has(name)),
    )
  }

  #newHome(name: string, part: Part): StoredFile {
    const path = this.#folder?.pathFor(name)
    if (path !== undefined) {
      const file = StoredFile.create(path, part instanceof Table ? 'list' : 'object')
      this.#files = [...this.#files, file]
      return file
    }
    const shared = this.#shared
    if (!shared) {
      const why = this.#folder ? ', and one of that name would not be served' : ''
      const message = `No file holds ${name}${why}. Add it to a file of collections.`
      throw new StorageError('WRITE_FAILED', message)
    }
    this.#parts.set(shared, new Map([...(this.#parts.get(shared) ?? []), [name, part]]))
    return shared
  }

  /** What a file holds of the data. */
  #ownPart(file: StoredFile, database: Database): Database {
    const { resource } = file
    if (this.#isAlone && resource === undefined) return database
    const own = resource === undefined ? this.#parts.get(file) : new Map([[resource, undefined]])
    const parts = [...(own ?? [])].flatMap(([name, part]) => {
      if (resource === undefined && name === '$schema') return [[name, part] as const]
      return database.parts.has(name) ? [[name, database.parts.get(name)] as const] : []
    })
    return new Database(new Map(parts))
  }

  async #assertOurs(): Promise<void> {
    for (const file of this.#files) await file.assertOurs()
  }

  /** Cleans up once after killed processes. Under the lock, no live process can be using the leftovers. */
  async #cleanUp(): Promise<void> {
    if (this.#isCleanedUp && !this.#files.some(({ held }) => held?.isTakenOver)) return
    const locks = this.#files.flatMap(({ held }) => held ?? [])
    await finishRenames(locks.map(({ target }) => target))
    await this.#list()
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

  async #list(): Promise<void> {
    if (!this.#folder) return
    const known = new Map(this.#files.map((file) => [file.path, file]))
    const expected = this.#files.flatMap(({ path, isGone }) => (isGone ? [] : [path]))
    const paths = await this.#folder.list(expected)
    if (paths.length === known.size && paths.every((path) => known.has(path))) return
    this.#isOtherList = true
    this.#files = paths.map((path) => known.get(path) ?? new StoredFile(path, false))
  }
}

/** Whether two parts hold the same, though they were read twice. */
function isSamePart(before: Part | undefined, after: Part): boolean {
  if (before === after) return true
  if (!(before instanceof Table && after instanceof Table)) return isSameJson(before, after)
  if (before.rows.size !== after.rows.size) return false
  const rows = [...after.rows.items()]
  // Hidden fields count, and computed ones do not.
  return [...before.rows.items()].every((row, at) => isSameJson(asStored(row), asStored(rows[at] ?? {})))
}
