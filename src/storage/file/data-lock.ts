import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { FileLock } from '../disk/file-lock.ts'
import { hasCode } from '../disk/fs.ts'
import type { HeldLock } from '../disk/held-lock.ts'
import { finishSave } from './rescue.ts'

/** The lock of a data file in our hands. */
export interface HeldDataLock extends HeldLock {
  readonly target: string
  /**
   * To be called before the file is overwritten instead of replaced, as one that is a mount of its own has to be. Such
   * a file may be mounted elsewhere, too, where another lock stands beside it: so all meet at one for the file itself.
   */
  lockItself(): Promise<void>
}

/** How long one waits for all locks together, in milliseconds. */
const PATIENCE = 15_000

/**
 * Keeps other processes from a data file: by a lock beside it, where everybody finds it who reaches the file by its
 * folder; and, once the file has proved to stay where it is, by one in the folder for temporary files, named after
 * device and inode. Whoever takes over from a killed process finishes what that was about to save.
 */
export class DataLock {
  #beside: { readonly lock: FileLock; readonly target: string } | undefined
  #itself: { readonly lock: FileLock; readonly path: string } | undefined

  /** @param target the real path, so that all who reach the file by different names meet */
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
      // What could not be replaced last time will not be this time.
      if (this.#itself) await lockItself()
    } catch (error) {
      await release()
      throw error
    }
    return { target, lockItself, release, isOurs: () => areAllOurs(held) }
  }

  #lockBeside(target: string): FileLock {
    if (this.#beside?.target === target) return this.#beside.lock
    const lock = new FileLock(join(dirname(target), `.${basename(target)}.lock`))
    this.#beside = { lock, target }
    this.#itself = undefined
    return lock
  }

  /** Undefined where there is no place for it: then the lock beside the file has to do, as it mostly does. */
  async #acquireItself(target: string, patience: number): Promise<HeldLock | undefined> {
    try {
      return await (await this.#lockOf(target)).acquire(patience)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EROFS')) return undefined
      throw error
    }
  }

  async #lockOf(target: string): Promise<FileLock> {
    const { dev, ino } = await stat(target, { bigint: true })
    const path = join(tmpdir(), `restable-${dev}-${ino}.lock`)
    if (this.#itself?.path === path) return this.#itself.lock
    const lock = new FileLock(path, {
      note: encodeURIComponent(target),
      onTakeover: (note) => finishSave(target, pathIn(note) ?? target),
    })
    this.#itself = { lock, path }
    return lock
  }
}

/** Anybody can write such a file, so the note may be anything. */
function pathIn(note: string): string | undefined {
  try {
    const path = decodeURIComponent(note)
    return isAbsolute(path) ? path : undefined
  } catch {
    return undefined
  }
}

async function areAllOurs(held: readonly HeldLock[]): Promise<boolean> {
  for (const lock of held) if (!(await lock.isOurs())) return false
  return true
}
