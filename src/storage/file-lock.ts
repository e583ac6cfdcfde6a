import { randomBytes } from 'node:crypto'
import { open, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../errors.ts'
import { hasCode } from './has-code.ts'
import { processMark, whereabouts } from './process-mark.ts'

export interface FileLockOptions {
  /**
   * Milliseconds to wait for a lock that another process holds.
   * @default 15000
   */
  patience?: number
  /**
   * Milliseconds without a sign of life after which a lock is taken over whose holder cannot be told dead
   * or alive: one on another machine, or on a system that does not tell processes of one number apart.
   * @default 10000
   */
  silence?: number
}

/** A lock in our hands. */
export interface HeldLock {
  /** False when someone took it over, as may happen to a process on another machine that was suspended. */
  isOurs(): Promise<boolean>
  release(): Promise<void>
}

/** A lock file as it was seen: an equal sighting later means that its holder gave no sign of life. */
interface Sighting {
  readonly text: string
  readonly identity: string
}

/** For the person who finds the file. */
const HOST = hostname()
const REFRESH_EVERY = 2000
const LOOK_EVERY = 50
/** A holder fills its lock file right after creating it; one that stays empty was killed in between. */
const EMPTY_SILENCE = 1000

/** Locks of this process that are done with but could not be removed at the time. */
const leftBehind = new Set<string>()

/**
 * A lock between processes: whoever creates the file holds it. The lock of a process known to be dead is
 * taken over at once, that of one known to live never is. Time is measured, not read from the clock, so
 * that setting the clock robs nobody.
 */
export class FileLock {
  readonly #path: string
  readonly #patience: number
  readonly #silence: number

  constructor(path: string, options: FileLockOptions = {}) {
    this.#path = path
    this.#patience = options.patience ?? 15_000
    this.#silence = options.silence ?? 10_000
  }

  /** Waits until the lock is ours. Not re-entrant. */
  async acquire(): Promise<HeldLock> {
    const text = `${processMark()} ${randomBytes(9).toString('base64url')} ${HOST}\n`
    const start = performance.now()
    let seen: Sighting | undefined
    let seenSince = start
    let lookAt = start
    while (!(await create(this.#path, text))) {
      const now = performance.now()
      if (now >= lookAt) {
        const sighting = await look(this.#path)
        if (sighting === undefined) continue
        if (sighting.identity !== seen?.identity) seenSince = now
        seen = sighting
        lookAt = now + LOOK_EVERY
        if (this.#isStale(seen.text, now - seenSince)) {
          await this.#remove(seen)
          continue
        }
      }
      if (now - start > this.#patience) throw this.#gaveUp(seen)
      await sleep(1 + Math.random() * 3)
    }
    return hold(this.#path, text, this.#silence / 4)
  }

  #isStale(text: string, silent: number): boolean {
    if (leftBehind.has(text)) return true
    const state = whereabouts(markOf(text))
    if (state !== 'unknown') return state === 'dead'
    return silent >= (text === '' ? Math.min(EMPTY_SILENCE, this.#silence) : this.#silence)
  }

  /**
   * Removes a stale lock. Of several processes that found it stale, a slow one must not remove the fresh
   * lock that a quick one created meanwhile: so they take turns, and each looks again when it has its turn.
   * The turn is a lock of the same kind, for the one who has it may be killed as well.
   */
  async #remove(stale: Sighting): Promise<void> {
    const turn = await new FileLock(`${this.#path}.steal`, {
      patience: this.#patience,
      silence: this.#silence,
    }).acquire()
    try {
      const now = await look(this.#path)
      if (now?.identity === stale.identity) {
        await unlink(this.#path)
        leftBehind.delete(stale.text)
      }
    } finally {
      await turn.release()
    }
  }

  /** Reaches clients of the server, so it names the process, but no folder and no machine. */
  #gaveUp(seen: Sighting | undefined): StorageError {
    const mark = seen ? markOf(seen.text) : ''
    const holder = whereabouts(mark) === 'alive' ? `Process ${mark.split('-')[1]}` : 'Another process'
    return new StorageError(
      'WRITE_FAILED',
      `${holder} has held ${basename(this.#path)} for too long. Stop it, or delete that file if it is gone.`,
    )
  }
}

async function create(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx').catch(unless('EEXIST'))
  if (file === undefined) return false
  try {
    await file.write(text)
  } catch (error) {
    // A full disk has room for the name of a file but not for its contents.
    await unlink(path).catch(unless('ENOENT'))
    throw error
  } finally {
    await file.close()
  }
  return true
}

function hold(path: string, text: string, sure: number): HeldLock {
  const refresh = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, REFRESH_EVERY)
  refresh.unref()

  // Nobody takes a lock over without having watched it for longer than this: so a short hold, by both clocks
  // (a suspended machine stops the one, a correction moves the other), needs no look at the file.
  const since = { measured: performance.now(), clock: Date.now() }
  const isSurelyOurs = () =>
    performance.now() - since.measured < sure && Math.abs(Date.now() - since.clock) < sure
  const isOurs = async () => isSurelyOurs() || (await look(path))?.text === text
  return {
    isOurs,
    async release() {
      clearInterval(refresh)
      try {
        if (await isOurs()) await unlink(path)
      } catch {
        // The work under the lock is done and must not count as failed: the next acquire removes the file.
        leftBehind.add(text)
      }
    },
  }
}

async function look(path: string): Promise<Sighting | undefined> {
  const file = await open(path, 'r').catch(unless('ENOENT'))
  if (file === undefined) return undefined
  try {
    const { ino, mtimeNs } = await file.stat({ bigint: true })
    const text = await file.readFile('utf8')
    return { text, identity: `${ino} ${mtimeNs} ${text}` }
  } finally {
    await file.close()
  }
}

/** Who holds the lock; nobody we could know when the text was cut short. */
function markOf(text: string): string {
  return text.endsWith('\n') ? (text.split(' ')[0] ?? '') : ''
}

/** Turns the one expected failure into undefined. */
function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (hasCode(error, code)) return undefined
    throw error
  }
}
