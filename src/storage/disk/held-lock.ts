import { unlink, utimes } from 'node:fs/promises'
import { lookAt } from './lock-file.ts'

/** A lock in our hands. */
export interface HeldLock {
  /** False when someone took it over, as may happen to a process on another machine that was suspended. */
  isOurs(): Promise<boolean>
  release(): Promise<void>
}

const REFRESH_EVERY = 2000

/** Locks of this process that are done with but could not be removed at the time. */
export const leftBehind = new Set<string>()

/** Keeps a lock file that we made, and shows that we live. Nobody takes it from us sooner than `sure` milliseconds. */
export function hold(path: string, text: string, sure: number): HeldLock {
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
  const isOurs = async () => isSurelyOurs() || (await lookAt(path))?.text === text
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
