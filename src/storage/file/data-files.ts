import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../catalogue/error-classes.ts'
import { Database, type Part } from '../data/database.ts'
import { Table } from '../data/table.ts'
import { invalid } from '../json/load.ts'
import type { Data } from '../types.ts'
import { listDataFiles } from './data-folder.ts'
import type { DataFile } from './file-store.ts'
import { attempt, hasCode, versionOf } from './fs.ts'
import { finishSave, rescuePath } from './overwrite-file.ts'
import { finishRenames } from './rename-note.ts'
import { StoredFile } from './stored-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { type Replacement, replaceFiles } from './write-file.ts'

export interface DataFilesOptions {
  /** Whether changes are saved. @default true */
  readonly isSaved?: boolean
  /** Paths in a folder that are no data. */
  readonly isExcluded?: (path: string) => boolean
}

/** Where the data is: one file, several, or all files of a folder. A save is all or nothing, and on disk before it resolves. */
export class DataFiles implements DataFile {
  readonly #folder: string | undefined
  readonly #options: DataFilesOptions
  readonly #isAlone: boolean
  #files: readonly StoredFile[]
  #ignored: readonly string[] = []
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
  #isCleanedUp = false
  #isOtherList = false

  /** @param source a file, several, or a folder with a `/` at its end */
  constructor(source: string | readonly string[], options: DataFilesOptions = {}) {
    const paths = [source].flat()
    const [first = ''] = paths
    this.#options = options
    this.#folder = paths.length === 1 && /[\\/]$/.test(first) ? resolve(first) : undefined
    this.#isAlone = paths.length === 1 && !this.#folder
    this.#files = this.#folder ? [] : paths.map((path) => new StoredFile(path, this.#isAlone))
  }

  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path)
  }

  /** What is to be said at the start, a line each. */
  get remarks(): readonly string[] {
    const { length } = this.#ignored
    return [
      ...(this.#folder && this.#files.length === 0 ? ['There are no data files in the folder yet.'] : []),
      ...(length > 0
        ? [`Ignored, as no data files: ${this.#ignored.slice(0, 5).join(', ')}${length > 5 ? ', …' : ''}.`]
        : []),
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
    if (this.#folder) await this.#list(this.#folder)
    this.#refuseLinks()
    return (await this.read()) ?? new Database(new Map())
  }

  /** Rows that a crash cut short, so that what any program appends next begins a line. If it fails, the next save leaves them out. */
  async cutUnfinished(): Promise<void> {
    if (!this.#files.some(({ isCutShort }) => isCutShort)) return
    await this.exclusive(async () => {
      for (const file of this.#files) await file.cutUnfinished()
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
    if (this.#isHeld || this.#options.isSaved === false) return await this.#readAll()
    // Between the renames of another process, files do not fit together.
    return await this.exclusive(() => this.#readAll()).catch((error: unknown) => {
      if (!hasCode(error, 'EACCES', 'EROFS', 'EPERM')) throw error
      return this.#readAll()
    })
  }

  /** Rejects, with the files unchanged, with the system's error, or with `ChangedOutside` if one is not what we read under this lock. */
  async write(database: Database): Promise<void> {
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
      for (const file of files)
        replacements.push(await file.replacement(this.#ownPart(file, database), this.#isChecked, this.#id))
      const written = await replaceFiles(replacements, () => this.#assertOurs())
      for (const [at, file] of files.entries()) {
        const stats = written[at]
        file.recordSave(stats ? versionOf(stats) : null)
      }
      this.#record(database)
    } catch (error) {
      for (const file of files) await file.restoreLateEdit(this.#isChecked)
      if (this.#folder) this.#files = this.#files.filter(({ isGone }) => !isGone)
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#isChecked = this.#isHeld
    if (this.#folder && !this.#isHeld) await this.#list(this.#folder)
    if (this.#isOtherList || this.#read.size > 0) return true
    for (const file of this.#files) if (await file.changedOutside()) return true
    return false
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#folder) await this.#list(this.#folder)
    // In one order, so that two processes never wait for each other.
    const files = this.#isAlone ? this.#files : this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    try {
      for (const file of files) await file.lock()
      this.#isHeld = true
      await this.#cleanUp()
      return await work()
    } finally {
      this.#isHeld = false
      this.#isChecked = false
      for (const file of files) {
        const { held } = file
        file.held = undefined
        await held?.release()
      }
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
        if (other && name !== '$schema') throw this.#twice(name, other, file)
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
  #twice(name: string, one: StoredFile, other: StoredFile): StorageError {
    const [first, second] = this.#database ? [one.name, other.name] : [one.path, other.path]
    return invalid(`${first} and ${second} both hold ${name}. Rename one of them.`)
  }

  #record(database: Database): void {
    this.#database = database
    if (this.#isAlone) return
    for (const file of this.#files) {
      const names = file.resource === undefined ? [...(this.#parts.get(file)?.keys() ?? [])] : [file.resource]
      const own = names.flatMap((name) =>
        database.parts.has(name) ? [[name, database.parts.get(name)] as const] : [],
      )
      this.#parts.set(file, new Map(own))
    }
    if (this.#folder) this.#files = this.#files.filter(({ isGone }) => !isGone)
  }

  /** With rows that differ, or that is not as it was saved last. */
  async #changedFiles(database: Database): Promise<readonly StoredFile[]> {
    const before = this.#database?.parts ?? new Map<string, Part>()
    const changed = new Set<StoredFile>()
    for (const [name, part] of database.parts) {
      if (before.get(name) !== part) changed.add(this.#homeOf(name) ?? this.#newHome(name, part))
    }
    for (const name of before.keys()) {
      const home = database.parts.has(name) ? undefined : this.#homeOf(name)
      if (home) changed.add(home)
    }
    for (const file of this.#files) {
      // One that came meanwhile and was never read is left alone.
      const isKnown = this.#isAlone || this.#parts.has(file)
      if (isKnown && (file.isGone || (!this.#isChecked && (await file.changedOutside())))) changed.add(file)
    }
    return [...changed].filter(({ unsaved }) => unsaved === undefined)
  }

  #homeOf(name: string): StoredFile | undefined {
    return this.#files.find((file) => file.resource === name || this.#parts.get(file)?.has(name))
  }

  #newHome(name: string, part: Part): StoredFile {
    const shared = this.#files.find(({ resource }) => resource === undefined)
    if (this.#folder && /^[^.<>:"\\|?*][^<>:"\\|?*]*$/.test(name)) {
      const file = StoredFile.create(
        join(this.#folder, `${name}.json`),
        part instanceof Table ? 'list' : 'object',
      )
      this.#files = [...this.#files, file]
      return file
    }
    if (!shared) throw new StorageError('WRITE_FAILED', `No file holds ${name}. Add one, and restart.`)
    this.#parts.set(shared, new Map([...(this.#parts.get(shared) ?? []), [name, part]]))
    return shared
  }

  /** What a file that holds several resources holds of the data. */
  #ownPart(file: StoredFile, database: Database): Database {
    const own = this.#parts.get(file)
    if (this.#isAlone || file.resource !== undefined || !own) return database
    const parts = [...own].flatMap(([name, part]) => {
      if (name === '$schema') return [[name, part] as const]
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
    if (this.#folder) await this.#list(this.#folder)
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

  /** Looks for new files, and waits a moment for missing ones: editors save in more than one step. */
  async #list(folder: string): Promise<void> {
    const known = new Map(this.#files.map((file) => [file.path, file]))
    let paths: readonly string[] = []
    for (const wait of [0, 10, 30, 60, 120]) {
      if (wait > 0) await sleep(wait)
      const { files, ignored } = await listDataFiles(folder, this.#options.isExcluded ?? (() => false))
      this.#ignored = ignored
      paths = files.map((name) => join(folder, name))
      if ([...known.values()].every(({ path, isGone }) => isGone || paths.includes(path))) break
    }
    if (paths.length === known.size && paths.every((path) => known.has(path))) return
    this.#isOtherList = true
    this.#files = paths.map((path) => known.get(path) ?? new StoredFile(path, false))
  }

  /** Two names of one file would wait for each other's lock. */
  #refuseLinks(): void {
    const targets = new Map<string, string>()
    for (const { path } of this.#files) {
      const target = attempt(() => realpathSync(path)) ?? path
      const other = targets.get(target)
      if (other !== undefined) throw invalid(`${other} and ${path} are the same file. Name it once.`)
      targets.set(target, path)
    }
  }
}
