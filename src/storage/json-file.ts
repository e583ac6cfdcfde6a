import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { StorageError } from '../errors.ts'
import { FileLock, type HeldLock } from './file-lock.ts'
import { versionOf } from './file-version.ts'
import { decodeText, parseData } from './load.ts'
import { realPath } from './real-path.ts'
import { replaceFile } from './replace-file.ts'
import { dropRescue, readRescue } from './rescue.ts'
import { Serializer } from './serialize.ts'
import { hasCode, unless } from './system-error.ts'
import { removeLeftovers } from './temp-files.ts'
import type { Data } from './types.ts'

/** Waits between looks at a file that is missing or half there: editors save in more than one step. */
const SECOND_LOOKS = [10, 30, 60, 120]
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
  #lock: { readonly lock: FileLock; readonly target: string } | undefined
  #held: { readonly lock: HeldLock; readonly target: string } | undefined
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
    const file = this.#openSync()
    try {
      const version = versionOf(fstatSync(file, { bigint: true }))
      const text = decodeText(readFileSync(file), this.#name)
      const data = text.trim() === '' ? (readRescue(this.#path) ?? {}) : this.#parse(text)
      this.#know(version, text)
      return data
    } finally {
      closeSync(file)
    }
  }

  /** The data, or null when the file is gone. A file that somebody is just writing gets a few moments. */
  async read(): Promise<Data | null> {
    for (const wait of SECOND_LOOKS) {
      const data = await this.#readOnce().catch(() => null)
      if (data) return data
      await sleep(wait)
    }
    return this.#readOnce()
  }

  /** Saves the data. Rejects with the system's error when that fails; the file is then as it was. */
  async write(data: Data): Promise<void> {
    const chunks = [...(await this.#serialize(data)), ...(this.#endsWithNewline ? [NEWLINE] : [])]
    const target = this.#held?.target ?? (await realPath(this.#path))
    const written = await replaceFile(target, chunks, () => this.#assertStillHeld())
    this.#known = versionOf(written)
  }

  /** Whether anybody else changed, replaced or deleted the file since we last read or wrote it. */
  async changedOutside(): Promise<boolean> {
    const found = await stat(this.#path, { bigint: true }).catch(unless('ENOENT'))
    return this.#known !== (found ? versionOf(found) : null)
  }

  /** Runs the work while no other process that asks this way does. Not to be nested. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    // By its real path, so that all who reach the file by different names meet at one lock.
    const target = await realPath(this.#path)
    const lock = await this.#lockOf(target).acquire()
    try {
      this.#held = { lock, target }
      await this.#tidy(target)
      return await work()
    } finally {
      this.#held = undefined
      await lock.release()
    }
  }

  async #serialize(data: Data): Promise<readonly Uint8Array[]> {
    return this.#serializer?.serialize(data) ?? [Buffer.from(JSON.stringify(data, null, 2))]
  }

  #lockOf(target: string): FileLock {
    if (this.#lock?.target === target) return this.#lock.lock
    const lock = new FileLock(join(dirname(target), `.${basename(target)}.lock`))
    this.#lock = { lock, target }
    return lock
  }

  #openSync(): number {
    try {
      return openSync(this.#path, 'r')
    } catch (cause) {
      const fault = hasCode(cause, 'ENOENT') ? 'does not exist' : 'cannot be opened'
      const message = `${this.#name} ${fault}. Check its path, and that you may read it.`
      throw new StorageError('INVALID_DATA', message, { cause })
    }
  }

  async #readOnce(): Promise<Data | null> {
    const file = await open(this.#path, 'r').catch(unless('ENOENT'))
    if (file === undefined) {
      this.#known = null
      return null
    }
    try {
      const version = versionOf(await file.stat({ bigint: true }))
      const text = decodeText(await file.readFile(), this.#name)
      if (version !== versionOf(await file.stat({ bigint: true }))) {
        throw new StorageError('INVALID_DATA', `${this.#name} is being written by another program.`)
      }
      const data = this.#parse(text)
      this.#know(version, text)
      return data
    } finally {
      await file.close()
    }
  }

  #parse(text: string): Data {
    try {
      return parseData(text, this.#name)
    } catch (fault) {
      const data = readRescue(this.#path)
      if (data) return data
      throw fault
    }
  }

  #know(version: string, text: string): void {
    this.#known = version
    this.#endsWithNewline = text.endsWith('\n')
  }

  /** Removes what killed processes left behind, once: only while we hold the lock can nobody be using it. */
  async #tidy(target: string): Promise<void> {
    if (this.#isTidy) return
    this.#isTidy = true
    await removeLeftovers(target)
    await dropRescue(target)
  }

  async #assertStillHeld(): Promise<void> {
    if (!this.#held || (await this.#held.lock.isOurs())) return
    throw new StorageError(
      'WRITE_FAILED',
      `The lock of ${this.#name} was lost while saving took long. Try again.`,
    )
  }
}
