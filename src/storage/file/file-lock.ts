import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { StorageError } from '../../catalogue/error-classes.ts'
import { hasCode, unless, useFile } from './fs.ts'
import { processMark, whereabouts } from './process-mark.ts'
import { kindOf } from './regular-file.ts'

export interface FileLockOptions {
  /** Milliseconds to wait for a lock that another process holds. @default 15000 */
  patience?: number
  /**
   * Milliseconds without a heartbeat after which a lock is taken over if its holder cannot be told dead or alive: on
   * another machine, or where a reused pid looks the same. @default 10000
   */
  silence?: number
  /** For the process that takes the lock over if we are killed. No spaces or line breaks. */
  note?: string
  /**
   * Called with the note of a dead holder, before anyone else can get the lock. If it fails, the lock is taken over
   * anyway: so it must leave unfinished work in place.
   */
  onTakeover?: (note: string) => Promise<void>
}

export interface HeldLock {
  /** False if someone took it over, as may happen to a suspended process on another machine. */
  isOurs(): Promise<boolean>
  release(): Promise<void>
}

const HOST = hostname()
const REFRESH_EVERY = 2000
const LOOK_EVERY = 50
const MIN_POLL = 1
const MAX_POLL = 4
/** How long after having waited we assume that others still want the lock. */
const COURTESY = 1000
/** A holder fills its lock file right after creating it; if it stays empty, the holder was killed in between. */
const EMPTY_SILENCE = 1000

/** Released locks of this process whose files could not be removed at the time. */
const leftBehind = new Set<string>()

/**
 * A lock between processes: the process that creates the file holds it. That of a process known to be dead is taken over
 * immediately, of one known to be alive never. Uses monotonic time, so that setting the clock breaks no lock.
 */
export class FileLock {
  readonly path: string
  readonly #options: Required<FileLockOptions>
  #waitedAt = Number.NEGATIVE_INFINITY
  #releasedAt = Number.NEGATIVE_INFINITY

  constructor(path: string, options: FileLockOptions = {}) {
    this.path = path
    this.#options = { patience: 15_000, silence: 10_000, note: '', onTakeover: async () => {}, ...options }
  }

  /** Waits until the lock is ours. Not re-entrant. */
  async acquire(patience = this.#options.patience): Promise<HeldLock> {
    await this.#letOthersIn()
    const text = `${[processMark(), nanoid(12), HOST, this.#options.note].join(' ').trimEnd()}\n`
    const start = performance.now()
    let seen: Sighting | undefined
    let seenSince = start
    let nextLook = start
    while (!(await createLockFile(this.path, text))) {
      const now = performance.now()
      this.#waitedAt = now
      if (now - start > patience) throw this.#gaveUp(seen)
      if (now >= nextLook) {
        const sighting = await lookAt(this.path)
        if (sighting === undefined) continue
        if (sighting.identity !== seen?.identity) seenSince = now
        seen = sighting
        nextLook = now + LOOK_EVERY
        if (this.#isStale(seen.text, now - seenSince)) {
          await this.#remove(seen, start + patience - now)
          continue
        }
      }
      await sleep(MIN_POLL + Math.random() * (MAX_POLL - MIN_POLL))
    }
    return this.#hold(text)
  }

  #hold(text: string): HeldLock {
    const refresh = setInterval(() => {
      const now = new Date()
      utimes(this.path, now, now).catch(() => undefined)
    }, REFRESH_EVERY)
    refresh.unref()

    // Nobody takes a lock over without having watched it for longer than this. So after a short hold, by both clocks
    // (suspending stops one, a correction moves the other), the file need not be checked.
    const sure = this.#options.silence / 4
    const since = { measured: performance.now(), clock: Date.now() }
    const isOurs = async () => {
      const isSure = performance.now() - since.measured < sure && Math.abs(Date.now() - since.clock) < sure
      return isSure || (await lookAt(this.path))?.text === text
    }
    const release = async () => {
      this.#releasedAt = performance.now()
      clearInterval(refresh)
      try {
        if (await isOurs()) await unlink(this.path)
      } catch {
        // The work under the lock is done and must not fail now: the next acquire removes the file.
        leftBehind.add(text)
      }
    }
    return { isOurs, release }
  }

  /** A process that releases the lock and asks again immediately would nearly always win and starve the others. */
  async #letOthersIn(): Promise<void> {
    const pause = this.#releasedAt + MAX_POLL - performance.now()
    if (pause > 0 && this.#releasedAt - this.#waitedAt < COURTESY) await sleep(pause)
  }

  #isStale(text: string, silent: number): boolean {
    if (leftBehind.has(text)) return true
    const state = whereabouts(markOf(text))
    if (state !== 'unknown') return state === 'dead'
    return silent >= (text === '' ? Math.min(EMPTY_SILENCE, this.#options.silence) : this.#options.silence)
  }

  /**
   * If several processes find a lock stale, a slow one must not remove the fresh lock that a fast one created meanwhile: so
   * each removes under a lock, of the same kind because its holder may be killed too, and checks again.
   */
  async #remove(stale: Sighting, patience: number): Promise<void> {
    const lock = new FileLock(`${this.path}.steal`, { silence: this.#options.silence })
    const turn = await lock.acquire(patience)
    try {
      const now = await lookAt(this.path)
      if (now?.identity === stale.identity) {
        await this.#options.onTakeover(stale.text.trimEnd().split(' ')[3] ?? '').catch(() => undefined)
        await removeLockFile(this.path)
        leftBehind.delete(stale.text)
      }
    } finally {
      await turn.release()
    }
  }

  /** Clients see this message, so it names the process, but no folder and no machine. */
  #gaveUp(seen: Sighting | undefined): StorageError {
    const mark = seen ? markOf(seen.text) : ''
    const holder = whereabouts(mark) === 'alive' ? `Process ${mark.split('-')[1]}` : 'Another process'
    const message = `${holder} has held ${basename(this.path)} for too long. Stop it, or delete that file if it is gone.`
    return new StorageError('WRITE_FAILED', message)
  }
}

/** The holder of the lock; unknown if the text is truncated. */
function markOf(text: string): string {
  return text.endsWith('\n') ? (text.split(' ')[0] ?? '') : ''
}

/** The observed state of a lock file: an equal one later means that there was no heartbeat. */
export interface Sighting {
  readonly text: string
  readonly identity: string
}

/** For the text of a file we may not read. Its modification time still shows the heartbeat. */
const UNREADABLE = 'unreadable\n'

/** Our own text is much shorter; a foreign file may have any length. */
const MOST_BYTES = 8192

/** Does not follow links or wait for pipes: neither is a lock. */
const LOOK: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export async function createLockFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(unless('EEXIST'))
  if (file === undefined) return false
  try {
    await file.write(text)
  } catch (error) {
    // A full disk may have room for a file's name, but not for its contents.
    await unlink(path).catch(unless('ENOENT'))
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** The current state of the file; undefined if there is none. Throws if something other than a file has its name. */
export async function lookAt(path: string): Promise<Sighting | undefined> {
  const file = await open(path, LOOK).catch(
    unless('ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP'),
  )
  if (file === undefined) return await lookFromOutside(path)
  return await useFile(file, async () => {
    const stats = await file.stat({ bigint: true })
    assertLock(stats, path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)
    return sighting(stats, buffer.toString('utf8', 0, bytesRead))
  })
}

async function lookFromOutside(path: string): Promise<Sighting | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(unless('ENOENT'))
  if (stats === undefined) return undefined
  assertLock(stats, path)
  return sighting(stats, UNREADABLE)
}

function sighting({ ino, mtimeNs }: BigIntStats, text: string): Sighting {
  return { text, identity: `${ino} ${mtimeNs} ${text}` }
}

/** Clients see this message, so it names no folder. */
function assertLock(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return
  const message = `${basename(path)} is ${kindOf(stats)}. restable needs this name for its lock file: remove what is there.`
  throw new StorageError('WRITE_FAILED', message)
}

export async function removeLockFile(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) return
    const message = `${basename(path)} is left over from another process and cannot be deleted. Delete it.`
    throw new StorageError('WRITE_FAILED', message, { cause })
  })
}
