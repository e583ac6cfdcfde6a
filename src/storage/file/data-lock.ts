import { lstat, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { attempt } from '../../util/attempt.ts'
import { FileLock, type HeldLock, TIMEOUT } from './file-lock.ts'
import { hasCode, unless } from './fs.ts'
import { finishSave } from './overwrite-file.ts'

export interface HeldDataLock extends HeldLock {
  readonly target: string
  /** Call before overwriting a bind-mounted file in place: it may be mounted elsewhere, with another lock next to it. */
  lockInode(): Promise<void>
}

/** A lock next to the file and, if it is a mount, one in the temp folder by device and inode. A takeover finishes saves. */
export class DataLock {
  #pathLock: FileLock | undefined
  #inodeLock: FileLock | undefined

  /** @param target the real path, so that all names of the file share one lock */
  async acquire(target: string): Promise<HeldDataLock> {
    const start = performance.now()
    const path = join(dirname(target), `.${basename(target)}.lock`)
    if (this.#pathLock?.path !== path) {
      this.#pathLock = new FileLock(path)
      this.#inodeLock = undefined
    }
    const first = await this.#pathLock.acquire()
    const held = [first]
    const lockInode = async () => {
      if (held.length > 1) return
      const lock = await this.#acquireInodeLock(target, start + TIMEOUT - performance.now())
      if (lock) held.push(lock)
    }
    const release = async () => {
      for (const lock of held.splice(0).reverse()) await lock.release()
    }
    try {
      // If it could not be replaced last time, it cannot be replaced now.
      if (this.#inodeLock) await lockInode()
    } catch (error) {
      await release()
      throw error
    }
    const isOurs = async () => {
      for (const lock of held) if (!(await lock.isOurs())) return false
      return true
    }
    return { target, isTakenOver: first.isTakenOver, lockInode, release, isOurs }
  }

  /** Undefined if it cannot be created, or is not to be trusted: the lock next to the file usually suffices. */
  async #acquireInodeLock(target: string, timeout: number): Promise<HeldLock | undefined> {
    try {
      const { dev, ino, uid } = await stat(target, { bigint: true })
      const path = join(tmpdir(), `restable-${dev}-${ino}.lock`)
      const owner = (await lstat(path).catch(unless('ENOENT')))?.uid
      // Any user can make a file of that name, and would hold up all who use ours.
      if (owner !== undefined && ![0, Number(uid), process.geteuid?.()].includes(owner)) return undefined
      if (this.#inodeLock?.path !== path) {
        const onTakeover = (info: string) => finishSave(target, decodePath(info) ?? target)
        this.#inodeLock = new FileLock(path, { info: encodeURIComponent(target), onTakeover })
      }
      return await this.#inodeLock.acquire(timeout)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOSPC', 'EDQUOT')) return undefined
      throw error
    }
  }
}

/** Any process can write such a file, so its text is untrusted. */
function decodePath(info: string): string | undefined {
  const path = attempt(() => decodeURIComponent(info))
  return path !== undefined && isAbsolute(path) ? path : undefined
}
