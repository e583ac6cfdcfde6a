import { statSync } from 'node:fs'
import { type FileHandle, stat, truncate } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Database } from '../../core/engine/data/database.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { IdNames } from '../formats/align.ts'
import type { ContentKind } from './content-kind.ts'
import { DataLock } from './data-lock.ts'
import { FileContent } from './file-content.ts'
import type { HeldLock } from './file-lock.ts'
import { hasCode, realPath, unlessMissing, versionOf } from './fs.ts'
import { finishSave, readRescue, rescuePath } from './overwrite-file.ts'
import { type FileContents, readOpen, readRegular, readRegularSync, retryRead } from './regular-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { assertExpected, type Replacement, replaceFiles } from './write-file.ts'

/** Null if the file was gone, undefined before the first read. */
type Version = string | null | undefined

/** A program that is still writing a file wrote to it this short a time ago. Many files, one after the other, are not each waited for. */
const RECENT_MS = 1000

/** A file with data: its lock, its version, and how it is read and replaced. */
export class StoredFile extends FileContent {
  readonly path: string
  held: HeldLock | undefined
  /** Whether the data to save is based on what was read under the current lock. */
  isChecked = false
  /** Why it cannot be read, though other files can. */
  fault: StorageError | undefined
  isCleanedUp = false
  #lock: DataLock | undefined
  /** Its real path while it is locked: a link may be redirected. */
  #target: string | undefined
  #version: Version
  #lastRead: Version
  /**
   * The edit that another program made in the file while our save replaced it, and the version that did. It counts as the
   * file's contents until a save has succeeded: that version contains writes that may yet be refused.
   */
  #lateEdit: { readonly bytes: Buffer; readonly version: string } | undefined

  /** @param layout of a file that is not there yet */
  constructor(path: string, isAlone: boolean, layout?: ContentKind) {
    super(path, isAlone, layout)
    this.path = resolve(path)
    this.#version = layout ? null : undefined
  }

  /** @param target its real path */
  async lock(target: string): Promise<void> {
    if (this.#lock?.target !== target) this.#lock = new DataLock(target)
    this.held = await this.#lock.acquire()
    this.#target = target
  }

  /** After killed processes. Under the lock, no live one can be using what they left. */
  async cleanUp(): Promise<void> {
    if (this.#target === undefined) return
    await removeLeftovers(this.#target, true)
    if (await stat(rescuePath(this.#target)).catch(() => undefined)) await finishSave(this.#target)
    // Only now: if it failed, on a full disk for example, the next save tries again.
    this.isCleanedUp = true
  }

  async release(): Promise<void> {
    const { held } = this
    this.held = undefined
    this.#target = undefined
    this.isChecked = false
    await held?.release()
  }

  /** Since it was read. What cannot be read is read again when it changes, or if a program may still be writing it. */
  async changedOutside(): Promise<boolean> {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false })
    return (
      (this.fault && !this.isCutShort ? this.#lastRead : this.#version) !== (stats ? versionOf(stats) : null)
    )
  }

  /** Whether it was ever read or written. */
  get isKnown(): boolean {
    return this.#version !== undefined
  }

  get isGone(): boolean {
    return this.#version === null
  }

  /** For startup, of JSON. */
  readSync(): Data {
    const contents = this.#current(this.#contentsSync())
    const data = this.parseSync(contents.bytes)
    this.#record(contents)
    return data
  }

  /** Null if the file is gone. Waits a moment for a file that is just being written. */
  read(): Promise<Data | null> {
    return retryRead((isLast) => this.#readOnce(isLast))
  }

  /** Cuts rows that a writer left unfinished; the file must be read again. Under the lock no server is writing; programs without it get a moment. */
  async cutUnfinished(): Promise<void> {
    if (!this.isCutShort) return
    if (!(await this.read().catch(() => null)) || this.isCutShort) {
      const { bytes } = await readRegular(this.path, this.name)
      await truncate(this.path, this.wholeLength(bytes))
    }
    this.#version = undefined
  }

  /** Appends rows, if that is all a change takes, and the format allows it. */
  async append(before: Database | undefined, after: Database): Promise<boolean> {
    const { lines } = this
    const rows = lines?.rowsToAppend(before?.table(this.stem), after.table(this.stem))
    if (!lines || !rows || !this.isChecked || !this.held || this.isGone || this.#lateEdit) return false
    const target = this.#target ?? (await realPath(this.path))
    // As by every save: other names keep what they had, and a file that is gone is another.
    if ((await stat(target).catch(unlessMissing))?.nlink !== 1) return false
    await this.assertOurs()
    const assertUnchanged = () => assertExpected({ target, expected: this.#version })
    this.#version = await lines.append(target, rows, assertUnchanged, (version) => {
      this.#version = version
    })
    return true
  }

  /**
   * @param database what it is to hold; undefined to remove it
   * @param id the field that tells rows apart
   */
  async replacement(database: Database | undefined, ids: IdNames | undefined): Promise<Replacement> {
    const current = async () => {
      const stored = await readRegular(this.path, this.name).catch(unlessMissing)
      return stored && this.#current(stored).bytes
    }
    const chunks = database && (await this.write(database, current, ids))
    return {
      target: this.#target ?? (await realPath(this.path)),
      chunks,
      // A new file never replaces one that is there.
      expected: this.isChecked || this.#version === null ? this.#version : undefined,
      ...(this.isChecked && { readLateEdit: (old) => this.#editIn(old) }),
      takeBack: async (old, written, edit) => {
        const bytes = edit ?? (await readOpen(old, this.name)).bytes
        this.#lateEdit = { bytes, version: versionOf(written) }
      },
    }
  }

  recordSave(written: string | null): void {
    this.#version = written
    this.#lateEdit = undefined
    this.fault = undefined
    this.acceptWritten()
  }

  /**
   * Right away: if the writes that replaced the edit are refused, a restart must find it. On failure, the next save has
   * it.
   */
  async restoreLateEdit(): Promise<void> {
    const late = this.#lateEdit
    // Without a read before, as when everything is replaced, we could overwrite newer changes.
    if (!late || !this.isChecked) return
    try {
      const target = this.#target ?? (await realPath(this.path))
      const replacement = { target, chunks: [late.bytes], expected: late.version }
      await replaceFiles([replacement], () => this.assertOurs())
      this.#lateEdit = undefined
    } catch {}
  }

  async assertOurs(): Promise<void> {
    if (this.held && !(await this.held.isOurs())) {
      const message = `The lock on ${this.name} was lost because saving took too long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
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

  async #readOnce(isLast: boolean): Promise<Data | null> {
    const stored = await readRegular(this.path, this.name).catch(unlessMissing)
    if (stored === undefined) {
      this.#version = null
      return null
    }
    // Whether or not it can be read, there is one again.
    if (this.isGone) this.#version = ''
    this.#lastRead = versionOf(stored.stats)
    const contents = this.#current(stored)
    const isRecent = Date.now() - Number(stored.stats.mtimeMs) < RECENT_MS
    if (!isLast && this.isKnown && isRecent && this.mayGoOn(contents.bytes)) return null
    // No server is writing it under our lock, and no other program was for a while.
    const isLeftUnfinished = this.held !== undefined && isLast && (!isRecent || this.held.isTakenOver)
    const data = await this.parse(contents.bytes, isLeftUnfinished)
    this.#record(contents)
    return data
  }

  #record({ bytes, stats }: FileContents): void {
    this.#version = versionOf(stats)
    this.accept(bytes)
  }

  #current(contents: FileContents): FileContents {
    const late = this.#lateEdit
    if (late?.version === versionOf(contents.stats)) return { ...contents, bytes: late.bytes }
    const rescued = readRescue(this.path, contents)
    return rescued ? { ...contents, bytes: rescued } : contents
  }

  /** Reads a late edit. One that is incomplete even after a moment is not worth undoing a complete save for. */
  #editIn(old: FileHandle): Promise<Buffer | null> {
    return retryRead(async (isLast) => {
      const { bytes } = await readOpen(old, this.name)
      if (!isLast && this.mayGoOn(bytes)) return null
      await this.parse(bytes)
      return bytes
    }).catch(() => null)
  }
}
