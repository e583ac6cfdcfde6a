import { type Adapter, Low } from 'lowdb'
import { StorageError } from '../../errors.ts'
import { codeOf } from '../disk/fs.ts'
import { ChangedOutside } from '../file/changed-outside.ts'
import type { Data } from '../types.ts'

/** Where data is stored: a lowdb adapter that also watches for changes by others. */
export interface Medium extends Adapter<Data> {
  /** Whether anyone else changed it since we last read or wrote it. */
  changedOutside(): Promise<boolean>
  /**
   * Runs the work while no other process writes. If the work reads (`changedOutside`, `read`) before it writes, and
   * somebody without the lock changes the data in between, `write` throws `ChangedOutside`.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Rows may be changed in place from now on. */
  share?(): void
  /** Reads the data synchronously. */
  readSync?(): Data
}

/** Saves data, one write at a time. Without a medium, there is nothing to wait for. */
export class Keeper {
  readonly #medium: Medium | undefined
  readonly #low: Low<Data> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #turnsLeft = 0

  constructor(medium: Medium | undefined, data: Data) {
    this.#medium = medium
    this.#low = medium && new Low<Data>(medium, data)
  }

  /** Runs the work after everything queued before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turnsLeft++
    const result = this.#turn.then(work).finally(() => {
      this.#turnsLeft--
    })
    this.#turn = result.catch(() => {})
    return result
  }

  /** Whether the queue is empty. */
  get isIdle(): boolean {
    return this.#turnsLeft === 0
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#turnsLeft > 0) await this.#turn
  }

  /** Runs the work while no other process writes. Its errors become WRITE_FAILED. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await (this.#medium ? this.#medium.exclusive(work) : work())
    } catch (cause) {
      throw cause instanceof ChangedOutside ? cause : writeFailed(cause)
    }
  }

  /** @param content called only if there is a medium */
  async save(content: () => Data): Promise<void> {
    if (!this.#low) return
    this.#low.data = content()
    await this.#low.write()
  }

  /** What others have written since we last read. */
  async news(): Promise<Data | undefined> {
    if (!this.#medium || !(await this.#medium.changedOutside())) return undefined
    return (await this.#medium.read()) ?? undefined
  }

  /** Reads the medium synchronously; undefined while work is in progress, which does its own reading. */
  readSync(): Data | undefined {
    return this.#turnsLeft === 0 ? this.#medium?.readSync?.() : undefined
  }

  /** Rows may be changed in place from now on. */
  share(): void {
    this.#medium?.share?.()
  }
}

/** Clients see this message, so it contains no path, only the kind of error. */
function writeFailed(cause: unknown): StorageError {
  const reason = cause instanceof StorageError ? cause.message.replace(/\.$/, '') : codeOf(cause)
  const message = `The data file could not be written, and nothing was changed${reason ? `: ${reason}` : ''}.`
  return new StorageError('WRITE_FAILED', message, { cause })
}
