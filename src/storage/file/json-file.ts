import { access, type FileHandle, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Adapter } from 'lowdb'
import { StorageError } from '../../errors.ts'
import { workAtOnce } from '../../work/in-slices.ts'
import { hasCode, realPath, unless, versionOf } from '../disk/fs.ts'
import { type FileContents, readOpen, readRegular, readRegularSync } from '../disk/regular-file.ts'
import { removeLeftovers } from '../disk/temp-files.ts'
import { decodeText, parseData, parseDataInSlices } from '../json/load.ts'
import { prettyPieces } from '../json/pretty-json.ts'
import { Serializer } from '../json/serialize.ts'
import type { Data } from '../types.ts'
import { ChangedOutside } from './changed-outside.ts'
import { DataLock, type HeldDataLock } from './data-lock.ts'
import { replaceFile } from './replace-file.ts'
import { finishSave, readRescue, rescuePath } from './rescue.ts'
import { withSecondLooks } from './second-looks.ts'

const NEWLINE = Buffer.from('\n')

/** Which version of the file we know: null when it was gone, undefined before the first look. */
type Version = string | null | undefined

/**
 * A lowdb adapter for one JSON file. A save is whole or not at all and on the disk before it resolves (the
 * limits of that: `replaceFile`); a symbolic link stays one; other processes are kept out by `exclusive`.
 */
export class JsonFile implements Adapter<Data> {
  readonly #path: string
  readonly #name: string
  #serializer: Serializer | undefined = new Serializer()
  #known: Version
  #endsWithNewline = false
  readonly #lock = new DataLock()
  #held: HeldDataLock | undefined
  /** Whether what is to be saved was made of what the file held under the lock that we have now. */
  #hasLooked = false
  /**
   * What somebody wrote into the file that our last save replaced, and the version that took its place. It counts for
   * what the file holds until a save has succeeded: that version is of writes that may yet be refused.
   */
  #lateEdit: { readonly bytes: Buffer; readonly version: string } | undefined
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
    const contents = this.#asEdited(this.#contentsSync())
    const data = readRescue(this.#path, contents) ?? this.#parse(contents)
    this.#know(contents)
    return data
  }

  /** The data, or null when the file is gone. A file that somebody is just writing gets a few moments. */
  async read(): Promise<Data | null> {
    return withSecondLooks(() => this.#readOnce())
  }

  /**
   * Saves the data. Rejects with the system's error when that fails; the file is then as it was. So it is when
   * somebody changed it since we looked at it, under the same lock: then with `ChangedOutside`.
   */
  async write(data: Data): Promise<void> {
    const chunks = [...(await this.#serialize(data)), ...(this.#endsWithNewline ? [NEWLINE] : [])]
    const target = this.#held?.target ?? (await realPath(this.#path))
    try {
      this.#known = await this.#replace(target, chunks, this.#known)
      this.#lateEdit = undefined
    } catch (error) {
      await this.#putBack(target)
      throw error
    }
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

  /** The contents, or those that somebody wrote in their place when they were about to be saved. */
  #asEdited(contents: FileContents): FileContents {
    const late = this.#lateEdit
    return late?.version === versionOf(contents.stats) ? { ...contents, bytes: late.bytes } : contents
  }

  /** Replaces the file, which has to be of the version `known`, and returns the new one. */
  async #replace(target: string, chunks: readonly Uint8Array[], known: Version): Promise<string> {
    const written = await replaceFile(target, chunks, {
      mayReplace: () => this.#assertMayReplace(target, known),
      mayOverwrite: async () => this.#held?.lockItself(),
      hasReplaced: (old, written) => this.#assertNotOvertaken(old, known, versionOf(written)),
    })
    return versionOf(written)
  }

  /**
   * Puts a late edit into the file again, at once: whether the writes that took its place can be made anew is not known
   * yet, and if not, a restart must find the edit and not them. Where the disk refuses, we keep it for the next save.
   */
  async #putBack(target: string): Promise<void> {
    const late = this.#lateEdit
    // Without a look before, as when all is replaced, nothing would keep us from overwriting what came since.
    if (!late || !this.#hasLooked) return
    try {
      await this.#replace(target, [late.bytes], late.version)
      this.#lateEdit = undefined
    } catch {
      // The error of the save is the one to be told.
    }
  }

  async #assertMayReplace(target: string, known: Version): Promise<void> {
    if (this.#held && !(await this.#held.isOurs())) {
      const message = `The lock of ${this.#name} was lost while saving took long. Try again.`
      throw new StorageError('WRITE_FAILED', message)
    }
    if (this.#hasLooked && (await versionAt(target)) !== known) throw new ChangedOutside()
  }

  async #assertNotOvertaken(old: FileHandle, known: Version, version: string): Promise<void> {
    if (!this.#hasLooked || versionOf(await old.stat({ bigint: true })) === known) return
    const edited = await withSecondLooks(async () => {
      const contents = await readOpen(old, this.#name)
      await this.#dataIn(contents)
      return contents
    }).catch(() => null)
    // What is not whole after that long is no edit, and not worth to undo a save that is whole.
    if (!edited) return
    this.#lateEdit = { bytes: edited.bytes, version }
    throw new ChangedOutside()
  }
}

/** Null where there is nothing. */
async function versionAt(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(unless('ENOENT'))
  return found ? versionOf(found) : null
}
