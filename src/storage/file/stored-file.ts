import { statSync } from 'node:fs'
import { stat, truncate } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { StorageError } from '../../catalogue/error-classes.ts'
import type { Database } from '../data/database.ts'
import { FormatFault } from '../formats/codec.ts'
import { type Format, formatOf } from '../formats/formats.ts'
import { decodeText, invalid, parseData, parseLongData } from '../formats/load.ts'
import { ndjson } from '../formats/ndjson.ts'
import { Serializer } from '../formats/serialize.ts'
import type { Data } from '../types.ts'
import { AppendedLines } from './appended-lines.ts'
import { DataLock, type HeldDataLock } from './data-lock.ts'
import { ChangedOutside } from './file-store.ts'
import { hasCode, realPath, unless, versionOf } from './fs.ts'
import { LateEdit } from './late-edit.ts'
import { isListFormat, KINDS, type Layout, layoutOf, remarkOn } from './layout.ts'
import { readRescue } from './overwrite-file.ts'
import { type FileContents, readRegular, readRegularSync, retryRead } from './regular-file.ts'
import { type Replacement, replaceFiles } from './write-file.ts'

const NEWLINE = Buffer.from('\n')

/** Null if the file was gone, undefined before the first read. */
type Version = string | null | undefined

/** One file with data: its version, its format, and how it is replaced. */
export class StoredFile {
  readonly path: string
  /** For messages, which clients see: without its folder. */
  readonly name: string
  readonly format: Format
  /** Why changes are not saved, if so. */
  unsaved: string | undefined
  /** Whether it ends in rows that a crash cut short. */
  isCutShort = false
  /** What is to be said about its contents, once. */
  remark: string | undefined
  held: HeldDataLock | undefined
  readonly #stem: string
  readonly #isAlone: boolean
  readonly #lock = new DataLock()
  #layout: Layout | undefined
  /** Of what was read last, which may not have been accepted. */
  #seen: Layout | undefined
  #serializer: Serializer | undefined
  #version: Version
  #endsWithNewline = false
  /** Where the next row goes, if rows are lines. */
  #lines: AppendedLines | undefined
  #savedLines: AppendedLines | undefined
  readonly #lateEdit: LateEdit

  /** @param isAlone whether it is all of the data: then an object in it is always one of collections and objects */
  constructor(path: string, isAlone: boolean) {
    this.path = resolve(path)
    this.name = basename(path)
    this.format = formatOf(path) ?? 'json'
    this.#stem = basename(path, extname(path))
    this.#isAlone = isAlone
    this.#lateEdit = new LateEdit(this.name, (contents) => this.#parse(contents))
  }

  /** The one resource that it is for; undefined if it holds them by name. */
  get resource(): string | undefined {
    const layout = this.#layout ?? (this.#isAlone && !isListFormat(this.format) ? 'database' : 'list')
    return layout === 'database' ? undefined : this.#stem
  }

  /** A file for a new resource. */
  static create(path: string, layout: 'list' | 'object'): StoredFile {
    const file = new StoredFile(path, false)
    file.#layout = layout
    file.#version = null
    return file
  }

  /** @param target its real path */
  async lock(target: string): Promise<void> {
    this.held = await this.#lock.acquire(target)
  }

  async release(): Promise<void> {
    const { held } = this
    this.held = undefined
    await held?.release()
  }

  async changedOutside(): Promise<boolean> {
    const stats = await stat(this.path, { bigint: true }).catch(unless('ENOENT'))
    return this.#version !== (stats ? versionOf(stats) : null)
  }

  /** Whether it was ever read or written. */
  get isKnown(): boolean {
    return this.#version !== undefined
  }

  get isGone(): boolean {
    return this.#version === null
  }

  /** For startup, of JSON. As in json-server, an empty file is an empty database. */
  readSync(): Data {
    const contents = this.#current(this.#contentsSync())
    const data = parseData(this.#textOf(contents) || this.#nothing(), this.name, (value) =>
      this.#arrange(value),
    )
    this.#record(contents)
    return data
  }

  /** Null if the file is gone. Waits a moment for a file that is just being written. */
  read(): Promise<Data | null> {
    return retryRead(() => this.#readOnce())
  }

  /** It has to be read again. Under the lock, so that no server is just writing the rows. Programs without it get a moment to finish them. */
  async cutUnfinished(): Promise<void> {
    if (!this.isCutShort) return
    if (!(await this.read().catch(() => null))) {
      const text = this.#textOf(await readRegular(this.path, this.name))
      await truncate(this.path, Buffer.byteLength(text.slice(0, ndjson.read(text).wholeUpTo)))
    }
    this.#version = undefined
  }

  /** Appends rows, if that is all a change takes, and the format allows it. */
  async append(before: Database | undefined, after: Database, isChecked: boolean): Promise<boolean> {
    const lines = this.#lines
    const rows = lines?.rowsToAppend(before?.table(this.#stem), after.table(this.#stem))
    if (!lines || !rows || !isChecked || !this.held || this.#lateEdit.kept) return false
    const { target } = this.held
    await this.assertOurs()
    const assertUnchanged = () => this.#assertUnchanged(target, this.#version, true)
    this.#version = await lines.append(target, rows, assertUnchanged, (version) => {
      this.#version = version
    })
    return true
  }

  /**
   * @param database what it is to hold; undefined to remove it
   * @param isChecked whether the data to save is based on what was read under the current lock
   * @param id the field that tells rows apart
   */
  async replacement(database: Database | undefined, isChecked: boolean, id?: string): Promise<Replacement> {
    const target = this.held?.target ?? (await realPath(this.path))
    const chunks = database && (await this.#chunks(database, id))
    return this.#replacing(target, chunks, this.#version, isChecked)
  }

  recordSave(written: string | null): void {
    this.#version = written
    this.#lateEdit.forget()
    this.#lines = this.#savedLines
  }

  /**
   * Right away: if the writes that replaced the edit are refused, a restart must find it. On failure, the next save has
   * it.
   */
  async restoreLateEdit(isChecked: boolean): Promise<void> {
    const late = this.#lateEdit.kept
    // Without a read before, as when everything is replaced, we could overwrite newer changes.
    if (!late || !isChecked) return
    try {
      const target = this.held?.target ?? (await realPath(this.path))
      const replacement = this.#replacing(target, [late.bytes], late.version, isChecked)
      await replaceFiles([replacement], () => this.assertOurs())
      this.#lateEdit.forget()
    } catch {}
  }

  async assertOurs(): Promise<void> {
    if (this.held && !(await this.held.isOurs())) {
      const message = `The lock on ${this.name} was lost because saving took too long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
  }

  async #chunks(database: Database, id: string | undefined): Promise<readonly Uint8Array[]> {
    this.#serializer ??= new Serializer(this.resource === undefined ? 1 : 0)
    const json =
      this.resource === undefined
        ? await this.#serializer.serialize(database)
        : await this.#serializer.part(
            database.parts.get(this.resource) ?? (this.#layout === 'object' ? {} : []),
          )
    if (this.format === 'json') return this.#endsWithNewline ? [...json, NEWLINE] : json
    const before = await readRegular(this.path, this.name).catch(unless('ENOENT'))
    const text = before ? this.#textOf(this.#current(before)) : ''
    const { translate } = await import('../formats/translate.ts')
    const { text: written = '' } = await translate({
      format: this.format,
      text,
      json: Buffer.concat(json).toString(),
      id,
    }).catch((cause: unknown) => {
      if (!(cause instanceof FormatFault)) throw cause
      throw new StorageError('WRITE_FAILED', `${this.name} is ${cause.message}`, { cause })
    })
    const bytes = Buffer.from(written)
    if (this.format === 'ndjson') this.#savedLines = new AppendedLines(bytes)
    return [bytes]
  }

  #contentsSync(): FileContents {
    try {
      return readRegularSync(this.path, this.name)
    } catch (cause) {
      if (cause instanceof StorageError) throw cause
      const fault = hasCode(cause, 'ENOENT') ? 'does not exist' : 'cannot be opened'
      const message = `${this.name} ${fault}. Check the path and its permissions.`
      throw new StorageError('INVALID_DATA', message, { cause })
    }
  }

  async #readOnce(): Promise<Data | null> {
    const stored = await readRegular(this.path, this.name).catch(unless('ENOENT'))
    if (stored === undefined) {
      this.#version = null
      return null
    }
    const contents = this.#current(stored)
    const data = await this.#parse(contents)
    this.#record(contents)
    return data
  }

  async #parse(contents: FileContents): Promise<Data> {
    const text = this.#textOf(contents)
    const arrange = (value: unknown) => this.#arrange(value)
    const isFirst = this.#layout === undefined
    if (this.format === 'json') {
      return parseLongData(
        isFirst && !this.#isAlone ? text || this.#nothing() : text,
        this.name,
        undefined,
        arrange,
      )
    }
    const { translate } = await import('../formats/translate.ts')
    const { json, unsaved, wholeUpTo } = await translate({ format: this.format, text }).catch(
      (cause: unknown) => {
        throw cause instanceof FormatFault ? invalid(`${this.name} is ${cause.message}`, cause) : cause
      },
    )
    // A line that another program is just writing: soon it is whole.
    if (wholeUpTo !== undefined && !isFirst) throw invalid(`${this.name} ends in the middle of a row.`)
    if (json === undefined && !isFirst) throw invalid(`${this.name} is empty.`)
    this.unsaved = unsaved
    this.isCutShort = wholeUpTo !== undefined
    this.remark = remarkOn(this.format, contents.bytes.length, wholeUpTo)
    const data = await parseLongData(json ?? this.#nothing(), this.name, undefined, arrange)
    // A row that was cut short is left out when the file is replaced: what others append after it must stay.
    if (this.format === 'ndjson')
      this.#lines = wholeUpTo === undefined ? new AppendedLines(contents.bytes) : undefined
    return data
  }

  /** With the byte order mark, which a save keeps, unless it is JSON. */
  #textOf({ bytes }: FileContents): string {
    const whole = this.format === 'ndjson' ? withoutCutCharacter(bytes) : bytes
    const text = decodeText(whole, this.name)
    return this.format === 'json' ? (text.trim() === '' ? '' : text) : whole.toString()
  }

  #nothing(): string {
    return this.#isAlone && !isListFormat(this.format) ? '{}' : '[]'
  }

  /** The data of what the file holds. While a server runs, it stays of one kind. */
  #arrange(value: unknown): unknown {
    const layout = layoutOf(value, this.#isAlone)
    this.#seen = layout
    if (this.#layout !== undefined && layout !== this.#layout) {
      if (this.#layout === 'database') return value
      throw invalid(
        `${this.name} held ${KINDS[this.#layout]}, and now ${KINDS[layout]}. Restart to serve that.`,
      )
    }
    return layout === 'database' ? value : { [this.#stem]: value }
  }

  #record({ bytes, stats }: FileContents): void {
    this.#version = versionOf(stats)
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
    this.#layout ??= this.#seen
  }

  #current(contents: FileContents): FileContents {
    const late = this.#lateEdit.kept
    if (late?.version === versionOf(contents.stats)) return { ...contents, bytes: late.bytes }
    const rescued = readRescue(this.path, contents)
    return rescued ? { ...contents, bytes: rescued } : contents
  }

  #replacing(
    target: string,
    chunks: readonly Uint8Array[] | undefined,
    expected: Version,
    isChecked: boolean,
  ): Replacement {
    return {
      target,
      chunks,
      assertUnchanged: () => this.#assertUnchanged(target, expected, isChecked),
      beforeOverwrite: async () => this.held?.lockInode(),
      isEditedLate: async (old) => isChecked && (await this.#lateEdit.isIn(old, expected)),
      takeBack: (old, written) => this.#lateEdit.keep(old, written),
    }
  }

  /** A new file never replaces one that is there. */
  #assertUnchanged(target: string, expected: Version, isChecked: boolean): void {
    if (!isChecked && expected !== null) return
    const stats = statSync(target, { bigint: true, throwIfNoEntry: false })
    if ((stats ? versionOf(stats) : null) !== expected) throw new ChangedOutside()
  }
}

/** A row that was cut short may end within a character, whose first byte says how many it has. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
