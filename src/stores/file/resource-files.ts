import { Database, type Part } from '../../core/engine/data/database.ts'
import { Unstorable } from '../../core/engine/data/store.ts'
import { Table } from '../../core/engine/data/table.ts'
import { toStoredRow } from '../../core/engine/rules/served-fields.ts'
import type { Data } from '../../core/engine/types.ts'
import type { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { invalid } from '../formats/load.ts'
import { DataFolder } from './data-folder.ts'
import { StoredFile } from './stored-file.ts'

/** The resources in each file. */
export type Contents = ReadonlyMap<StoredFile, ReadonlyMap<string, Part>>

/** Which file holds which resource: one file, several, or all files of a folder, which come and go. */
export class ResourceFiles {
  protected files: readonly StoredFile[]
  /** The one that holds everything, if there is one. */
  protected readonly only: StoredFile | undefined
  /** The database as last read or saved. */
  protected database: Database | undefined
  /** The content of changed files, until all of them can be read and fit together. */
  protected readonly pending = new Map<StoredFile, Data>()
  /** Whether there are other files than those that it was read from. */
  protected isOtherList = false
  readonly #folder: DataFolder | undefined
  #contents: Contents = new Map()
  /** Served without saving from the start, which says so. */
  #unsaved: ReadonlySet<StoredFile> = new Set()

  constructor(source: string | readonly string[] | DataFolder) {
    const paths = source instanceof DataFolder ? [] : [source].flat()
    const isAlone = paths.length === 1
    this.#folder = source instanceof DataFolder ? source : undefined
    this.files = paths.map((path) => new StoredFile(path, isAlone))
    this.only = isAlone ? this.files[0] : undefined
  }

  /** Warnings for the start, a line each. */
  get remarks(): readonly string[] {
    return [
      ...(this.#folder?.remarks ?? []),
      ...this.files.flatMap(({ name, remark, unsaved }) => [
        ...(remark === undefined ? [] : [`${name} ${remark}`]),
        ...(unsaved === undefined ? [] : [`${name} is served without saving changes: ${unsaved}.`]),
      ]),
    ]
  }

  /** Warnings about rounded numbers, as of now, a line each. */
  get rounded(): readonly string[] {
    const lines: string[] = []
    for (const { name, rounded } of this.files) if (rounded !== undefined) lines.push(`${name} ${rounded}`)
    return lines
  }

  protected async list(): Promise<void> {
    if (!this.#folder) return
    const known = new Map(this.files.map((file) => [file.path, file]))
    const expected = this.files.flatMap(({ path, isGone }) => (isGone ? [] : [path]))
    const paths = await this.#folder.list(expected)
    if (paths.length === known.size && paths.every((path) => known.has(path))) return
    this.isOtherList = true
    this.files = paths.map((path) => known.get(path) ?? new StoredFile(path, false))
  }

  /** @param read what was read of files that changed */
  protected combine(read: ReadonlyMap<StoredFile, Data>): Database {
    const contents = new Map<StoredFile, ReadonlyMap<string, Part>>()
    const owners = new Map<string, StoredFile>()
    for (const file of this.files) {
      if (this.#folder && file.isGone) continue
      const data = read.get(file)
      const own = data ? Database.of(data).parts : (this.#contents.get(file) ?? new Map())
      for (const name of own.keys()) {
        const other = owners.get(name)
        if (other && name !== '$schema')
          throw this.clash(other, file, `both hold ${name}. Rename one of them.`)
        owners.set(name, file)
      }
      contents.set(file, own)
    }
    this.isOtherList = false
    this.#contents = contents
    this.database = new Database(new Map([...contents.values()].flatMap((own) => [...own])))
    return this.database
  }

  /** At the start, messages are for the terminal, and name paths. */
  protected clash(one: StoredFile, other: StoredFile, how: string): StorageError {
    const [first, second] = this.database ? [one.name, other.name] : [one.path, other.path]
    return invalid(`${first} and ${second} ${how}`)
  }

  /** From now on, files that cannot be saved are served without. */
  protected acceptUnsaved(): void {
    this.#unsaved = new Set(this.files.filter(({ unsaved }) => unsaved !== undefined))
  }

  /** Whether changes of a resource are saved: its file may have what cannot be written back. */
  saves(resource: string): boolean {
    return (this.#homeOf(resource) ?? this.#shared)?.unsaved === undefined
  }

  /** The content to save in each file. A new resource gets its own file in a folder, or goes into a file of collections. */
  protected contentsOf(database: Database): Contents {
    const { only } = this
    if (only && only.resource === undefined) return new Map([[only, database.parts]])
    // Those that came meanwhile, and are not part of the data yet, are left alone.
    const known = this.files.filter((file) => !this.#folder || this.#contents.has(file))
    const contents = new Map(known.map((file) => [file, this.#keptIn(file, database)]))
    for (const [name, part] of database.parts) {
      const home = this.#homeOf(name)
      if (home && name === '$schema') continue
      getOrMake(contents, home ?? this.#newHome(name, part), () => new Map()).set(name, part)
    }
    return contents
  }

  /** The files to save: with rows that differ, or that are not as they were saved last. */
  protected async changedFiles(contents: Contents): Promise<readonly StoredFile[]> {
    const { only } = this
    if (only && only.unsaved === undefined && only.resource === undefined) return [only]
    const changed: StoredFile[] = []
    for (const [file, parts] of contents) {
      const isSame = await isSameContent(this.#contents.get(file) ?? new Map(), parts)
      if (file.fault && isSame) continue
      if (file.fault) throw new Unstorable(file.fault.message)
      const isStored = file.isChecked || !(this.pending.has(file) || (await file.changedOutside()))
      if (isSame && !file.isGone && isStored) continue
      if (file.unsaved === undefined) changed.push(file)
      else if (!this.#unsaved.has(file)) {
        const message = `${file.name} cannot be saved: ${file.unsaved}. Correct it; or restart, to serve it without saving.`
        throw new Unstorable(message)
      }
    }
    return changed
  }

  /** The content to save in a file; undefined if the file goes. */
  protected contentOf(file: StoredFile, contents: Contents): Database | undefined {
    const parts = contents.get(file) ?? new Map()
    // Files that are named in settings have to be there.
    const isRemoved = this.#folder !== undefined && [...parts.keys()].every((name) => name === '$schema')
    return isRemoved ? undefined : new Database(parts)
  }

  protected record(database: Database, contents: Contents): void {
    this.database = database
    this.#contents = contents
    if (this.#folder) this.files = [...contents.keys()].filter(({ isGone }) => !isGone)
  }

  /** A file of collections, for what has none of its own. */
  get #shared(): StoredFile | undefined {
    return this.files.find(({ resource }) => resource === undefined)
  }

  #homeOf(name: string): StoredFile | undefined {
    return this.files.find(
      (file) => file.isKnown && (file.resource === name || this.#contents.get(file)?.has(name)),
    )
  }

  #newHome(name: string, part: Part): StoredFile {
    const path = this.#folder?.pathFor(name)
    if (path !== undefined) return new StoredFile(path, false, part instanceof Table ? 'list' : 'object')
    const shared = this.#shared
    if (shared) return shared
    const why = this.#folder ? ', and one of that name would not be served' : ''
    const message = `No file holds ${name}${why}. Add it to a file of collections.`
    throw new Unstorable(message)
  }

  /** The remaining resources of a file. Each file of collections has its own `$schema`. */
  #keptIn(file: StoredFile, { parts }: Database): Map<string, Part> {
    const held = [...(this.#contents.get(file) ?? [])]
    return new Map(held.filter(([name]) => parts.has(name) || name === '$schema'))
  }
}

type Parts = ReadonlyMap<string, Part>

async function isSameContent(before: Parts, after: Parts): Promise<boolean> {
  if (before.size !== after.size) return false
  for (const [name, part] of after) if (!(await isSamePart(before.get(name), part))) return false
  return true
}

/** Whether two parts hold the same, though they were read twice. */
async function isSamePart(before: Part | undefined, after: Part): Promise<boolean> {
  if (before === after) return true
  if (!(before instanceof Table && after instanceof Table)) return isSameJson(before, after)
  if (before.size !== after.size) return false
  const pace = new TimeSlice()
  const others = after.rows.items()
  for (const [at, row] of before.rows.items().entries()) {
    // Hidden fields count, and computed ones do not.
    const isSame = row === others[at] || isSameJson(toStoredRow(row), toStoredRow(others[at] ?? {}))
    if (!isSame) return false
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
  return true
}
