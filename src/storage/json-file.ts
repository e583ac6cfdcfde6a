import { access, type FileHandle, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Adapter } from 'lowdb'
import { StorageError } from '../errors.ts'
import { workAtOnce } from '../in-slices.ts'
import { ChangedOutside } from './changed-outside.ts'
import { DataLock, type HeldDataLock } from './data-lock.ts'
import { versionOf } from './file-version.ts'
import { decodeText, parseData, parseDataInSlices } from './load.ts'
import { prettyPieces } from './pretty-json.ts'
import { realPath } from './real-path.ts'
import { type FileContents, readOpen, readRegular, readRegularSync } from './regular-file.ts'
import { replaceFile } from './replace-file.ts'
import { finishSave, readRescue, rescuePath } from './rescue.ts'
import { withSecondLooks } from './second-looks.ts'
import { Serializer } from './serialize.ts'
import { hasCode, unless } from './system-error.ts'
import { removeLeftovers } from './temp-files.ts'
import type { Data } from './types.ts'

const NEWLINE = Buffer.from('\n')

/**
 * A lowdb adapter for one JSON file. A save is whole or not at all and on the disk before it resolves (the
 * limits of that: `replaceFile`); a symbolic link stays one; other processes are kept out by `exclusive`.
 */
export class JsonFile implements Adapter<Data> {
  readonly #path: string
  readonly #name: string
  #serializer: Serializer | undefined = new Serializer()
  /** Which version of the file we know: null when it was gone, undefined before the first look. */
  #known: string | null | undefined
  #endsWithNewline = false
  readonly #lock = new DataLock()
  #held: HeldDataLock | undefined
  /** Whether what is to be saved was made of what the file held under the lock that we have now. */
  #hasLooked = false
  /** What somebody wrote into the file that our last save replaced, and the version that took its place. */
  #lateEdit: { readonly data: Data; readonly version: string } | undefined
  #isTidy = false

  constructor(path: string) {
    this.#path = resolve(path)
    this.#name = basename(path)
  }

  /** From now on others may change rows in place, so nothing that was written may be taken for what is there. */
  share(): void {
    this.#serializer = undefined
  }

  /** The data, at once, for the start. As in json-server an empty file is an empty database. */
  readSync(): Data {
    const contents = this.#contentsSync()
    const data = readRescue(this.#path, contents) ?? this.#parse(contents)
    this.#know(contents)
    return data
  }

  /** The data, or null when the file is gone. A file that somebody is just writing gets a few moments. */
  async read(): Promise<Data | null> {
    const late = this.#lateEdit
    this.#lateEdit = undefined
    if (late && (await versionAt(this.#path)) === late.version) {
      this.#known = late.version
      return late.data
    }
    return withSecondLooks(() => this.#readOnce())
  }

  /**
   * Saves the data. Rejects with the system's error when that fails; the file is then as it was. So it is when
   * somebody changed it since we looked at it, under the same lock: then with `ChangedOutside`.
   */
  async write(data: Data): Promise<void> {
    const chunks = [...(await this.#serialize(data)), ...(this.#endsWithNewline ? [NEWLINE] : [])]
    const target = this.#held?.target ?? (await realPath(this.#path))
    const written = await replaceFile(target, chunks, {
      mayReplace: () => this.#assertMayReplace(target),
      mayOverwrite: async () => this.#held?.lockItself(),
      hasReplaced: (old, written) => this.#assertNotOvertaken(old, versionOf(written)),
    })
    this.#known = versionOf(written)
  }

  /** Whether anybody else changed, replaced or deleted the file since we last read or wrote it. */
  async changedOutside(): Promise<boolean> {
    this.#hasLooked = this.#held !== undefined
    return this.#known !== (await versionAt(this.#path))
  }

  /** Runs the work while no other process that asks this way does. Not to be nested. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    // By its real path, so that all who reach the file by different names meet at one lock.
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

  async #serialize(data: Data): Promise<readonly Uint8Array[]> {
    return this.#serializer?.serialize(data) ?? workAtOnce(prettyPieces(data))
  }

  #contentsSync(): FileContents {
    try {
      return readRegularSync(this.#path, this.#name)
    } catch (cause) {
      if (cause instanceof StorageError) throw cause
      const fault = hasCode(cause, 'ENOENT') ? 'does not exist' : 'cannot be opened'
      const message = `${this.#name} ${fault}. Check its path, and that you may read it.`
      throw new StorageError('INVALID_DATA', message, { cause })
    }
  }

  async #readOnce(): Promise<Data | null> {
    const contents = await readRegular(this.#path, this.#name).catch(unless('ENOENT'))
    if (contents === undefined) {
      this.#known = null
      return null
    }
    const data = await this.#dataIn(contents)
    this.#know(contents)
    return data
  }

  #parse({ bytes }: FileContents): Data {
    const text = decodeText(bytes, this.#name)
    return text.trim() === '' ? {} : parseData(text, this.#name)
  }

  async #dataIn(contents: FileContents): Promise<Data> {
    const rescued = readRescue(this.#path, contents)
    return rescued ?? parseDataInSlices(decodeText(contents.bytes, this.#name), this.#name)
  }

  #know({ bytes, stats }: FileContents): void {
    this.#known = versionOf(stats)
    this.#endsWithNewline = bytes.at(-1) === NEWLINE[0]
  }

  /** Sees to what killed processes left behind, once: only while we hold the lock can nobody be using it. */
  async #tidy({ target, lockItself }: HeldDataLock): Promise<void> {
    if (this.#isTidy) return
    await removeLeftovers(target)
    const hasRescue = await access(rescuePath(target)).then(
      () => true,
      () => false,
    )
    if (hasRescue) {
      await lockItself()
      await finishSave(target)
    }
    // Not sooner: what could not be finished, on a full disk for one, is tried again with the next save.
    this.#isTidy = true
  }

  async #assertMayReplace(target: string): Promise<void> {
    if (this.#held && !(await this.#held.isOurs())) {
      const message = `The lock of ${this.#name} was lost while saving took long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
    if (this.#hasLooked && (await versionAt(target)) !== this.#known) throw new ChangedOutside()
  }

  async #assertNotOvertaken(old: FileHandle, version: string): Promise<void> {
    if (!this.#hasLooked || versionOf(await old.stat({ bigint: true })) === this.#known) return
    const data = await withSecondLooks(async () => this.#dataIn(await readOpen(old, this.#name))).catch(
      () => null,
    )
    // What is not whole after that long is no edit, and not worth to undo a save that is whole.
    if (!data) return
    this.#lateEdit = { data, version }
    throw new ChangedOutside()
  }
}

/** Null where there is nothing. */
async function versionAt(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(unless('ENOENT'))
  return found ? versionOf(found) : null
}
