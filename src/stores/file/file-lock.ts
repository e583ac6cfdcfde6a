import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { lstat, open, readFile, unlink, utimes } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { hasCode, unless, unlessMissing } from './fs.ts'
import { holderState, lockHolder } from './lock-holder.ts'
import { kindOf } from './regular-file.ts'

export interface FileLockOptions {
  /** Milliseconds without a heartbeat until a takeover from a process that cannot be found dead or alive. @default 10000 */
  staleAfter?: number
  /** For the process that takes the lock over if this one is killed. No spaces or line breaks. */
  info?: string
  /** Called with the `info` of a dead holder, while no process can get the lock. The takeover goes on even if it fails. */
  onTakeover?: (info: string) => Promise<void>
}

const TIMEOUT = 15_000
const HEARTBEAT_EVERY = 2000
const MIN_POLL = 1
const MAX_POLL = 4
/** A holder fills its lock file right after creating it; if it stays empty, the holder was killed in between. */
const EMPTY_STALE_AFTER = 1000

const unlessTaken = unless('EEXIST')

/** Released locks of this process whose files could not be removed at the time. */
const unremoved = new Set<string>()

/**
 * A lock between processes: the process that creates the file holds it. That of a process known to be dead is taken over
 * immediately, of one known to be alive never. Uses monotonic time, so that setting the clock breaks no lock.
 */
export class FileLock {
  readonly path: string
  readonly #options: Required<FileLockOptions>
  readonly #holder = lockHolder()

  constructor(path: string, options: FileLockOptions = {}) {
    this.path = path
    this.#options = { staleAfter: 10_000, info: '', onTakeover: async () => {}, ...options }
  }

  /** Waits until the lock is ours. Not re-entrant. @param timeout milliseconds, while another process holds it */
  async acquire(timeout = TIMEOUT): Promise<HeldLock> {
    const { info, staleAfter } = this.#options
    const text = `${this.#holder} ${randomUUID()} ${info}`.trimEnd().concat('\n')
    const start = performance.now()
    let last: LockState | undefined
    let lastSince = start
    let isTakenOver = false
    while (!(await createLock(this.path, text))) {
      const now = performance.now()
      if (now - start > timeout) throw this.#timeoutError(last)
      const state = await readLock(this.path)
      if (state === undefined) continue
      if (state.identity !== last?.identity) lastSince = now
      last = state
      if (this.#isStale(state.text, now - lastSince)) {
        if (await this.#removeStale(state, start + timeout - now)) isTakenOver = true
      } else await sleep(MIN_POLL + Math.random() * (MAX_POLL - MIN_POLL))
    }
    return new HeldLock(this.path, text, staleAfter, isTakenOver)
  }

  #isStale(text: string, unchangedMs: number): boolean {
    if (unremoved.has(text)) return true
    const state = holderState(text)
    if (state !== 'unknown') return state === 'dead'
    const { staleAfter } = this.#options
    return unchangedMs >= (text === '' ? Math.min(EMPTY_STALE_AFTER, staleAfter) : staleAfter)
  }

  /**
   * If several processes find a lock stale, a slow one must not remove the fresh lock that a fast one created meanwhile: so
   * each removes under a lock, of the same kind because its holder may be killed too, and checks again.
   */
  async #removeStale(stale: LockState, timeout: number): Promise<boolean> {
    const lock = new FileLock(`${this.path}.steal`, { staleAfter: this.#options.staleAfter })
    const held = await lock.acquire(timeout)
    try {
      const now = await readLock(this.path)
      if (now?.identity !== stale.identity) return false
      await this.#options.onTakeover(stale.text.trimEnd().split(' ')[4] ?? '').catch(() => undefined)
      await removeLock(this.path)
      unremoved.delete(stale.text)
      return true
    } finally {
      await held.release()
    }
  }

  /** Clients see this message, so it names the process, but no folder and no machine. */
  #timeoutError(last: LockState | undefined): StorageError {
    const isAlive = last !== undefined && holderState(last.text) === 'alive'
    const holder = isAlive ? `Process ${last.text.split(' ')[0]}` : 'Another process'
    const message = `${holder} has held ${basename(this.path)} for too long. Stop it, or delete that file if it is gone.`
    return new StorageError('WRITE_FAILED', message)
  }
}

/** A lock until it is released, with a heartbeat. */
export class HeldLock {
  /** Whether its last holder was killed. */
  readonly isTakenOver: boolean
  readonly #path: string
  readonly #text: string
  readonly #safeMs: number
  readonly #since = { measured: performance.now(), clock: Date.now() }
  readonly #heartbeat: NodeJS.Timeout

  constructor(path: string, text: string, staleAfter: number, isTakenOver: boolean) {
    this.#path = path
    this.#text = text
    this.#safeMs = staleAfter / 4
    this.isTakenOver = isTakenOver
    this.#heartbeat = setInterval(() => {
      const now = new Date()
      utimes(path, now, now).catch(() => undefined)
    }, HEARTBEAT_EVERY).unref()
  }

  /** False after a takeover, as may happen to a suspended process on another machine. */
  async isOurs(): Promise<boolean> {
    const { measured, clock } = this.#since
    // A takeover needs a longer wait than this. So after a short hold, by both clocks (suspending stops one, a correction
    // moves the other), the file need not be checked.
    const isSafe = performance.now() - measured < this.#safeMs && Math.abs(Date.now() - clock) < this.#safeMs
    return isSafe || (await readLock(this.#path))?.text === this.#text
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat)
    try {
      if (await this.isOurs()) await unlink(this.#path)
    } catch {
      // The work under the lock is done and must not fail now: the next acquire removes the file.
      unremoved.add(this.#text)
    }
  }
}

interface LockState {
  readonly text: string
  /** Equal at two times if there was no heartbeat in between. */
  readonly identity: string
}

/** For the text of a file we may not read. Its modification time still shows the heartbeat. */
const UNREADABLE = 'unreadable'

async function createLock(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(unlessTaken)
  if (file === undefined) return false
  try {
    writeSync(file.fd, text)
  } catch (error) {
    // A full disk may have room for a file's name, but not for its contents.
    await unlink(path).catch(unlessMissing)
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** Undefined if there is none. Clients see the message, so it names no folder. */
async function readLock(path: string): Promise<LockState | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(unlessMissing)
  if (stats === undefined) return undefined
  if (!stats.isFile()) {
    const fault = `${basename(path)} is ${kindOf(stats)}. restable needs this name for its lock file: remove what is there.`
    throw new StorageError('WRITE_FAILED', fault)
  }
  const text = await readFile(path, 'utf8').catch(() => UNREADABLE)
  return { text, identity: `${stats.ino} ${stats.mtimeNs} ${text}` }
}

async function removeLock(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) return
    const message = `${basename(path)} is left over from another process and cannot be deleted. Delete it.`
    throw new StorageError('WRITE_FAILED', message, { cause })
  })
}
