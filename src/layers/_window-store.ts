import type { Store } from 'express-rate-limit'
import type { Clock } from '../clock/clock.ts'

/** Prefix of clients that are addresses, not claims of a request. */
export const ADDRESS = 'address '

/** Addresses tracked at a time, and as many keys: a few megabytes in all sessions, however many somebody makes up. */
const MAX_CLIENTS = 10_000

interface Window {
  totalHits: number
  /** What the clock will show then, for the response header. */
  readonly resetTime: Date
  readonly clock: Clock
  /** By `clock.steady`, immune to changes of the system's clock. */
  readonly end: number
  readonly stepsBack: number
}

type ByClient = Map<string, Window>

/** Apart, so that nobody makes up so many keys that their own address is forgotten. */
export interface Windows {
  readonly addresses: ByClient
  readonly claims: ByClient
}

/** Also when the clock was set back: the header would name a time that is far ahead. */
function isOver({ clock, end, stepsBack }: Window): boolean {
  return clock.steady() >= end || clock.stepsBack !== stepsBack
}

/** Counts per client and window. By one clock, windows end in the order of the map: eviction needs no timer and no search. */
export class WindowStore implements Store {
  readonly localKeys = true
  readonly #windows: Windows
  readonly #windowMs: number
  readonly #clock: Clock

  constructor(windowMs: number, clock: Clock, windows: Windows) {
    this.#windowMs = windowMs
    this.#clock = clock
    this.#windows = windows
  }

  increment(client: string): Window {
    const windows = this.#windowsWith(client)
    forget(windows, isOver)
    const known = windows.get(client)
    // A session of the same name that ended had another clock.
    if (known?.clock === this.#clock && !isOver(known)) {
      known.totalHits++
      return known
    }
    // Set again, it is the youngest.
    windows.delete(client)
    forget(windows, () => windows.size >= MAX_CLIENTS)
    const fresh = this.#open()
    windows.set(client, fresh)
    return fresh
  }

  decrement(client: string): void {
    const known = this.#windowsWith(client).get(client)
    if (known !== undefined) known.totalHits--
  }

  resetKey(client: string): void {
    this.#windowsWith(client).delete(client)
  }

  #windowsWith(client: string): ByClient {
    const { addresses, claims } = this.#windows
    return client.startsWith(ADDRESS) ? addresses : claims
  }

  #open(): Window {
    const clock = this.#clock
    const resetTime = new Date(clock.now() + this.#windowMs)
    return {
      totalHits: 1,
      resetTime,
      clock,
      end: clock.steady() + this.#windowMs,
      stepsBack: clock.stepsBack,
    }
  }
}

function forget(windows: ByClient, isToGo: (oldest: Window) => boolean): void {
  for (const [client, window] of windows) {
    if (!isToGo(window)) return
    windows.delete(client)
  }
}
