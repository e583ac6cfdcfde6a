import { statSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { StorageError } from '../../catalogue/error-classes.ts'
import type { Database } from '../data/database.ts'
import { decodeText, parseData, parseLongData } from '../json/load.ts'
import { Serializer } from '../json/serialize.ts'
import type { Data } from '../types.ts'
import { DataLock, type HeldDataLock } from './data-lock.ts'
import { ChangedOutside, type Medium } from './file-store.ts'
import { hasCode, realPath, unless, versionOf } from './fs.ts'
import { finishSave, readRescue, rescuePath } from './overwrite-file.ts'
import { type FileContents, readOpen, readRegular, readRegularSync, retryRead } from './regular-file.ts'
import { removeLeftovers } from './temp-files.ts'
import { replaceFile } from './write-file.ts'

const NEWLINE = Buffer.from('\n')

/** The version of the file we know: null if it was gone, undefined before the first read. */
type Version = string | null | undefined

/** One JSON file. A save is all or nothing, and on disk before it resolves (within the limits of `replaceFile`). */
export class JsonFile implements Medium {
  readonly #path: string
  readonly #name: string
  readonly #serializer = new Serializer()
  #known: Version
  #endsWithNewline = false
  readonly #lock = new DataLock()
  #held: HeldDataLock | undefined
  /** Whether the data to save is based on what was read under the current lock. */
  #hasLooked = false
  /**
   * What somebody wrote into the file that our last save replaced, and the version that replaced it. It counts as
   * the file's contents until a save has succeeded: that version contains writes that may yet be refused.
   */
  #lateEdit: { readonly bytes: Buffer; readonly version: string } | undefined
  #isTidy = false

  constructor(path: string) {
    this.#path = resolve(path)
    this.#name = basename(path)
  }

  /** For startup. As in json-server, an empty file is an empty database. */
  readSync(): Data {
    const contents = this.#asEdited(this.#contentsSync())
    const rescued = readRescue(this.#path, contents)
    const text = rescued ? '' : decodeText(contents.bytes, this.#name)
    const data = rescued ?? (text.trim() === '' ? {} : parseData(text, this.#name))
    this.#know(contents)
    return data
  }

  /** The data, or null if the file is gone. Waits a moment for a file that is just being written. */
  async read(): Promise<Data | null> {
    return retryRead(() => this.#readOnce())
  }

  /** Rejects, with the file unchanged, with the system's error, or with `ChangedOutside` if it is not what we read under this lock. */
  async write(database: Database): Promise<void> {
    const written = await this.#serializer.serialize(database)
    const chunks = this.#endsWithNewline ? [...written, NEWLINE] : written
    const target = this.#held?.target ?? (await realPath(this.#path))
    try {
      this.#known = await this.#replace(target, chunks, this.#known)
      this.#lateEdit = undefined
    } catch (error) {
      await this.#putBack(target)
      throw error
    }
  }

  async changedOutside(): Promise<boolean> {
    this.#hasLooked = this.#held !== undefined
    const found = await stat(this.#path, { bigint: true }).catch(unless('ENOENT'))
    return this.#known !== (found ? versionOf(found) : null)
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    const lock = await this.#lock.acquire(await realPath(this.#path))
    try {
      this.#held = lock
      await this.#tidy(lock)
      return await work()
    } finally {
      this.#held = undefined
      this.#hasLooked = false
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
    const found = await readRegular(this.#path, this.#name).catch(unless('ENOENT'))
    if (found === undefined) {
      this.#known = null
      return null
    }
    const contents = this.#asEdited(found)
    const data = await this.#dataIn(contents)
    this.#know(contents)
    return data
  }

  async #dataIn(contents: FileContents): Promise<Data> {
    const rescued = readRescue(this.#path, contents)
    return rescued ?? parseLongData(decodeText(contents.bytes, this.#name), this.#name)
  }

  #know({ bytes, stats }: FileContents): void {
    this.#known = versionOf(stats)
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
  }

  /** Cleans up once after killed processes; under the lock, because then nobody can be using the leftovers. */
  async #tidy({ target, lockItself }: HeldDataLock): Promise<void> {
    if (this.#isTidy) return
    await removeLeftovers(target)
    const rescue = await stat(rescuePath(target)).catch(() => undefined)
    if (rescue) {
      await lockItself()
      await finishSave(target)
    }
    // Only now: if cleaning up failed, on a full disk for example, the next save tries again.
    this.#isTidy = true
  }

  #asEdited(contents: FileContents): FileContents {
    const late = this.#lateEdit
    return late?.version === versionOf(contents.stats) ? { ...contents, bytes: late.bytes } : contents
  }

  async #replace(target: string, chunks: readonly Uint8Array[], known: Version): Promise<string> {
    const written = await replaceFile(target, chunks, {
      beforeReplace: () => this.#assertOurs(),
      assertUnchanged: () => this.#assertUnchanged(target, known),
      beforeOverwrite: async () => this.#held?.lockItself(),
      afterReplace: (old, written) => this.#assertNotOvertaken(old, known, versionOf(written)),
    })
    return versionOf(written)
  }

  /**
   * Writes a late edit back immediately: it is not known yet whether the writes that replaced it can be repeated,
   * and if not, a restart must find the edit rather than them. If the disk refuses, we keep it for the next save.
   */
  async #putBack(target: string): Promise<void> {
    const late = this.#lateEdit
    // If the file was not read before, as when everything is replaced, we could overwrite newer changes.
    if (!late || !this.#hasLooked) return
    try {
      await this.#replace(target, [late.bytes], late.version)
      this.#lateEdit = undefined
    } catch {
      // The error of the save is the one to report.
    }
  }

  async #assertOurs(): Promise<void> {
    if (this.#held && !(await this.#held.isOurs())) {
      const message = `The lock on ${this.#name} was lost because saving took too long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
  }

  #assertUnchanged(target: string, known: Version): void {
    if (!this.#hasLooked) return
    const found = statSync(target, { bigint: true, throwIfNoEntry: false })
    if ((found ? versionOf(found) : null) !== known) throw new ChangedOutside()
  }

  async #assertNotOvertaken(old: FileHandle, known: Version, version: string): Promise<void> {
    if (!this.#hasLooked || versionOf(await old.stat({ bigint: true })) === known) return
    const edited = await retryRead(async () => {
      const contents = await readOpen(old, this.#name)
      await this.#dataIn(contents)
      return contents
    }).catch(() => null)
    // What is still incomplete after this long is not an edit worth undoing a complete save for.
    if (!edited) return
    this.#lateEdit = { bytes: edited.bytes, version }
    throw new ChangedOutside()
  }
}
