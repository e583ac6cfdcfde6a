import { unlink, utimes } from 'node:fs/promises'
import { lookAt } from './lock-file.ts'

/** A lock that we hold. */
export interface HeldLock {
  /** False if someone took it over, as may happen to a suspended process on another machine. */
  isOurs(): Promise<boolean>
  release(): Promise<void>
}

const REFRESH_EVERY = 2000

/** Released locks of this process whose files could not be removed at the time. */
export const leftBehind = new Set<string>()

/** Holds a lock file that we created, with a heartbeat. Nobody takes it over within `sure` milliseconds. */
export function hold(path: string, text: string, sure: number): HeldLock {
  const refresh = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, REFRESH_EVERY)
  refresh.unref()

  // Nobody takes a lock over without having watched it for longer than this. So after a short hold, by both clocks
  // (suspending stops one, a correction moves the other), the file need not be checked.
  const since = { measured: performance.now(), clock: Date.now() }
  const isSurelyOurs = () =>
    performance.now() - since.measured < sure && Math.abs(Date.now() - since.clock) < sure
  const isOurs = async () => isSurelyOurs() || (await lookAt(path))?.text === text
  return {
    isOurs,
    async release() {
      clearInterval(refresh)
      try {
        if (await isOurs()) await unlink(path)
      } catch {
        // The work under the lock is done and must not fail now: the next acquire removes the file.
        leftBehind.add(text)
      }
    },
  }
}
