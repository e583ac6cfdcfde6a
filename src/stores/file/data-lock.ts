import { lstat, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { FileLock, type HeldLock } from './file-lock.ts'
import { hasCode, unlessMissing } from './fs.ts'
import { finishSave } from './overwrite-file.ts'

/** The lock of a data file: next to it. A mounted file has other neighbors in each place: its lock is in the temp folder. */
export class DataLock {
  readonly target: string
  readonly #beside: FileLock
  #isMounted: boolean | undefined

  /** @param target the real path, so that all names of the file share one lock */
  constructor(target: string) {
    this.target = target
    this.#beside = new FileLock(join(dirname(target), `.${basename(target)}.lock`))
  }

  async acquire(): Promise<HeldLock> {
    this.#isMounted ??= await isMountPoint(this.target)
    const held = this.#isMounted ? await this.#acquireByInode() : undefined
    return held ?? (await this.#beside.acquire())
  }

  /** Undefined if it cannot be created, or is not to be trusted. A takeover finishes the save, perhaps of another mount. */
  async #acquireByInode(): Promise<HeldLock | undefined> {
    try {
      const { dev, ino, uid } = await stat(this.target, { bigint: true })
      const path = join(tmpdir(), `restable-${dev}-${ino}.lock`)
      const owner = (await lstat(path).catch(unlessMissing))?.uid
      // Any user can make a file of that name, and would hold up all who use ours.
      if (owner !== undefined && ![0, Number(uid), process.geteuid?.()].includes(owner)) return undefined
      const onTakeover = (info: string) => finishSave(this.target, decodePath(info) ?? this.target)
      return await new FileLock(path, { info: encodeURIComponent(this.target), onTakeover }).acquire()
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EROFS', 'ENOSPC', 'EDQUOT')) return undefined
      throw error
    }
  }
}

/** Whether it is mounted as a file, as by `docker run -v ./db.json:/app/db.json`. */
async function isMountPoint(path: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const escaped = path.replace(/[\s\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return mounts.split('\n').some((line) => line.split(' ')[4] === escaped)
}

/** Any process can write such a file, so its text is untrusted. */
function decodePath(info: string): string | undefined {
  const path = attempt(() => decodeURIComponent(info))
  return path !== undefined && isAbsolute(path) ? path : undefined
}
