import { type Adapter, Low } from 'lowdb'
import { StorageError } from '../../errors.ts'
import { codeOf } from '../disk/fs.ts'
import { ChangedOutside } from '../file/changed-outside.ts'
import type { Data } from '../types.ts'

/** Where data is kept: a lowdb adapter that also minds its neighbours. */
export interface Medium extends Adapter<Data> {
  /** Whether somebody else changed it since we last read or wrote it. */
  changedOutside(): Promise<boolean>
  /**
   * Runs the work while no other process writes. Where the work looked (`changedOutside`, `read`) before it writes, and
   * somebody who does not ask this way changed it in between, `write` throws `ChangedOutside`.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** To be told that rows may be changed in place from now on. */
  share?(): void
  /** What it holds, at once. */
  readSync?(): Data
}

/** Sees to it that data is saved, one thing after the other. Where there is no medium, saving is nothing to wait for. */
export class Keeper {
  readonly #medium: Medium | undefined
  readonly #low: Low<Data> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #turnsLeft = 0

  constructor(medium: Medium | undefined, data: Data) {
    this.#medium = medium
    this.#low = medium && new Low<Data>(medium, data)
  }

  /** Runs the work when all that was asked for before is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turnsLeft++
    const result = this.#turn.then(work).finally(() => {
      this.#turnsLeft--
    })
    this.#turn = result.catch(() => {})
    return result
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#turnsLeft > 0) await this.#turn
  }

  /** Runs the work while no other process writes. What goes wrong in it is a failed write. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await (this.#medium ? this.#medium.exclusive(work) : work())
    } catch (cause) {
      throw cause instanceof ChangedOutside ? cause : writeFailed(cause)
    }
  }

  async save(data: Data): Promise<void> {
    if (!this.#low) return
    this.#low.data = data
    await this.#low.write()
  }

  /** What somebody else wrote since we last looked. */
  async news(): Promise<Data | undefined> {
    if (!this.#medium || !(await this.#medium.changedOutside())) return undefined
    return (await this.#medium.read()) ?? undefined
  }

  /** What the medium holds, at once; nothing while work is under way, which looks for itself. */
  readSync(): Data | undefined {
    return this.#turnsLeft === 0 ? this.#medium?.readSync?.() : undefined
  }

  /** To be told that rows may be changed in place from now on. */
  share(): void {
    this.#medium?.share?.()
  }
}

/** The message reaches clients, so it carries no path: only what kind of trouble it was. */
function writeFailed(cause: unknown): StorageError {
  const reason = cause instanceof StorageError ? cause.message.replace(/\.$/, '') : codeOf(cause)
  const message = `The data file could not be written, and nothing was changed${reason ? `: ${reason}` : ''}.`
  return new StorageError('WRITE_FAILED', message, { cause })
}
