import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { FileLock, type HeldLock } from './file-lock.ts'
import { hasCode } from './fs.ts'
import { finishSave } from './overwrite-file.ts'

export interface HeldDataLock extends HeldLock {
  readonly target: string
  /** Call before overwriting a bind-mounted file in place: it may be mounted elsewhere, with another lock next to it. */
  lockItself(): Promise<void>
}

/** How long to wait for all locks together, in milliseconds. */
const PATIENCE = 15_000

/**
 * Keeps other processes away from a data file: with a lock next to it and, once the file has turned out to be a mount,
 * with one in the temp folder, named after device and inode. Who takes over from a killed process finishes its save.
 */
export class DataLock {
  #beside: FileLock | undefined
  #itself: FileLock | undefined

  /** @param target the real path, so that all names of the file share one lock */
  async acquire(target: string): Promise<HeldDataLock> {
    const start = performance.now()
    const held = [await this.#lockBeside(target).acquire(PATIENCE)]
    const lockItself = async () => {
      if (held.length > 1) return
      const lock = await this.#acquireItself(target, start + PATIENCE - performance.now())
      if (lock) held.push(lock)
    }
    const release = async () => {
      for (const lock of held.splice(0).reverse()) await lock.release()
    }
    try {
      // If it could not be replaced last time, it cannot be replaced now.
      if (this.#itself) await lockItself()
    } catch (error) {
      await release()
      throw error
    }
    const isOurs = async () => {
      for (const lock of held) if (!(await lock.isOurs())) return false
      return true
    }
    return { target, lockItself, release, isOurs }
  }

  #lockBeside(target: string): FileLock {
    const path = join(dirname(target), `.${basename(target)}.lock`)
    if (this.#beside?.path === path) return this.#beside
    this.#itself = undefined
    this.#beside = new FileLock(path)
    return this.#beside
  }

  /** Undefined if it cannot be created: then the lock next to the file has to do, and usually does. */
  async #acquireItself(target: string, patience: number): Promise<HeldLock | undefined> {
    try {
      const { dev, ino } = await stat(target, { bigint: true })
      const path = join(tmpdir(), `restable-${dev}-${ino}.lock`)
      const onTakeover = (note: string) => finishSave(target, pathIn(note) ?? target)
      if (this.#itself?.path !== path)
        this.#itself = new FileLock(path, { note: encodeURIComponent(target), onTakeover })
      return await this.#itself.acquire(patience)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EROFS')) return undefined
      throw error
    }
  }
}

/** Anyone can write such a file, so the note is untrusted. */
function pathIn(note: string): string | undefined {
  try {
    const path = decodeURIComponent(note)
    return isAbsolute(path) ? path : undefined
  } catch {
    return undefined
  }
}
