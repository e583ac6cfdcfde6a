import { statSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { StorageError } from '../../catalogue/error-classes.ts'
import type { Database } from '../data/database.ts'
import { decodeText, parseData, parseLongData } from '../json/load.ts'
import { Serializer } from '../json/serialize.ts'
import type { Data } from '../types.ts'
import { DataLock, type HeldDataLock } from './data-lock.ts'
import { ChangedOutside, type DataFile } from './file-store.ts'
import { hasCode, realPath, unless, versionOf } from './fs.ts'
import { finishSave, readRescue, rescuePath } from './overwrite-file.ts'
import { type FileContents, readOpen, readRegular, readRegularSync, retryRead } from './regular-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { replaceFile } from './write-file.ts'

const NEWLINE = Buffer.from('\n')

/** Null if the file was gone, undefined before the first read. */
type Version = string | null | undefined

/** One JSON file. A save is all or nothing, and on disk before it resolves (within the limits of `replaceFile`). */
export class JsonFile implements DataFile {
  readonly #path: string
  readonly #name: string
  readonly #serializer = new Serializer()
  #version: Version
  #endsWithNewline = false
  readonly #lock = new DataLock()
  #held: HeldDataLock | undefined
  /** Whether the data to save is based on what was read under the current lock. */
  #isChecked = false
  /**
   * What another program wrote into the file that our last save replaced, and the version that replaced it. It counts as
   * the file's contents until a save has succeeded: that version contains writes that may yet be refused.
   */
  #lateEdit: { readonly bytes: Buffer; readonly version: string } | undefined
  #isCleanedUp = false

  constructor(path: string) {
    this.#path = resolve(path)
    this.#name = basename(path)
  }

  /** For startup. As in json-server, an empty file is an empty database. */
  readSync(): Data {
    const contents = this.#withLateEdit(this.#contentsSync())
    const rescued = readRescue(this.#path, contents)
    const text = rescued ? '' : decodeText(contents.bytes, this.#name)
    const data = rescued ?? (text.trim() === '' ? {} : parseData(text, this.#name))
    this.#recordVersion(contents)
    return data
  }

  /** Null if the file is gone. Waits a moment for a file that is just being written. */
  async read(): Promise<Data | null> {
    return retryRead(() => this.#readOnce())
  }

  /** Rejects, with the file unchanged, with the system's error, or with `ChangedOutside` if it is not what we read under this lock. */
  async write(database: Database): Promise<void> {
    const written = await this.#serializer.serialize(database)
    const chunks = this.#endsWithNewline ? [...written, NEWLINE] : written
    const target = this.#held?.target ?? (await realPath(this.#path))
    try {
      this.#version = await this.#replace(target, chunks, this.#version)
      this.#lateEdit = undefined
    } catch (error) {
      await this.#restoreLateEdit(target)
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#isChecked = this.#held !== undefined
    const stats = await stat(this.#path, { bigint: true }).catch(unless('ENOENT'))
    return this.#version !== (stats ? versionOf(stats) : null)
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    const lock = await this.#lock.acquire(await realPath(this.#path))
    try {
      this.#held = lock
      await this.#cleanUp(lock)
      return await work()
    } finally {
      this.#held = undefined
      this.#isChecked = false
      await lock.release()
    }
  }

  #contentsSync(): FileContents {
    try {
      return readRegularSync(this.#path, this.#name)
    } catch (cause) {
      if (cause instanceof StorageError) throw cause
      const fault = hasCode(cause, 'ENOENT') ? 'does not exist' : 'cannot be opened'
      const message = `${this.#name} ${fault}. Check the path and its permissions.`
      throw new StorageError('INVALID_DATA', message, { cause })
    }
  }

  async #readOnce(): Promise<Data | null> {
    const stored = await readRegular(this.#path, this.#name).catch(unless('ENOENT'))
    if (stored === undefined) {
      this.#version = null
      return null
    }
    const contents = this.#withLateEdit(stored)
    const data = await this.#parse(contents)
    this.#recordVersion(contents)
    return data
  }

  async #parse(contents: FileContents): Promise<Data> {
    const rescued = readRescue(this.#path, contents)
    return rescued ?? parseLongData(decodeText(contents.bytes, this.#name), this.#name)
  }

  #recordVersion({ bytes, stats }: FileContents): void {
    this.#version = versionOf(stats)
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
  }

  /** Cleans up once after killed processes. Under the lock, no live process can be using the leftovers. */
  async #cleanUp({ target, lockInode: lockItself }: HeldDataLock): Promise<void> {
    if (this.#isCleanedUp) return
    await removeLeftovers(target)
    const rescue = await stat(rescuePath(target)).catch(() => undefined)
    if (rescue) {
      await lockItself()
      await finishSave(target)
    }
    // Only now: if cleaning up failed, on a full disk for example, the next save tries again.
    this.#isCleanedUp = true
  }

  #withLateEdit(contents: FileContents): FileContents {
    const late = this.#lateEdit
    return late?.version === versionOf(contents.stats) ? { ...contents, bytes: late.bytes } : contents
  }

  async #replace(target: string, chunks: readonly Uint8Array[], expected: Version): Promise<string> {
    const written = await replaceFile(target, chunks, {
      beforeReplace: () => this.#assertOurs(),
      assertUnchanged: () => this.#assertUnchanged(target, expected),
      beforeOverwrite: async () => this.#held?.lockInode(),
      afterReplace: (old, written) => this.#recoverLateEdit(old, expected, versionOf(written)),
    })
    return versionOf(written)
  }

  /**
   * Right away: if the writes that replaced the edit are refused, a restart must find it. On failure, the next save has
   * it.
   */
  async #restoreLateEdit(target: string): Promise<void> {
    const late = this.#lateEdit
    // Without a read before, as when everything is replaced, we could overwrite newer changes.
    if (!late || !this.#isChecked) return
    try {
      await this.#replace(target, [late.bytes], late.version)
      this.#lateEdit = undefined
    } catch {}
  }

  async #assertOurs(): Promise<void> {
    if (this.#held && !(await this.#held.isOurs())) {
      const message = `The lock on ${this.#name} was lost because saving took too long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
  }

  #assertUnchanged(target: string, expected: Version): void {
    if (!this.#isChecked) return
    const stats = statSync(target, { bigint: true, throwIfNoEntry: false })
    if ((stats ? versionOf(stats) : null) !== expected) throw new ChangedOutside()
  }

  async #recoverLateEdit(old: FileHandle, expected: Version, version: string): Promise<void> {
    if (!this.#isChecked || versionOf(await old.stat({ bigint: true })) === expected) return
    const edited = await retryRead(async () => {
      const contents = await readOpen(old, this.#name)
      await this.#parse(contents)
      return contents
    }).catch(() => null)
    // What is still incomplete after this long is not an edit worth undoing a complete save for.
    if (!edited) return
    this.#lateEdit = { bytes: edited.bytes, version }
    throw new ChangedOutside()
  }
}
