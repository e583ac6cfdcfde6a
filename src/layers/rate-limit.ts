import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Request, RequestHandler } from 'express'
import type { Store } from 'express-rate-limit'
import type { Clock } from '../clock/clock.ts'
import { ConfigError } from '../errors.ts'
import { type ClockOf, REAL_TIME } from '../http/clock-of.ts'
import { isControl } from '../http/control-paths.ts'
import { exposeTo } from '../http/exposed-headers.ts'
import { sessionOf } from '../http/session-of.ts'
import { DEFAULTS } from './_defaults.ts'
import { bearerToken, checkOptions, refuse } from './_guard.ts'

/** Loads the library lazily: few servers need it. */
const require = createRequire(import.meta.url)

export interface RateLimitOptions {
  /**
   * Requests per client and window.
   * @default 10
   */
  limit?: number
  /**
   * Length of the window in milliseconds; it starts with the client's first request.
   * @default 60000
   */
  windowMs?: number
  /** The clock that each request is judged by; requests of different clocks are counted apart. @internal */
  clockOf?: ClockOf
}

/**
 * Limits the requests per client and window. A client is an API key, else a bearer token, else an IP address; in each
 * session it is another one.
 * @example app.use(rateLimit({ limit: 100, windowMs: 60_000 }))
 */
export function rateLimit(options: RateLimitOptions = {}): RequestHandler {
  checkOptions('rateLimit', options, ['limit', 'windowMs', 'clockOf'])
  const limit = checkCount('limit', options.limit ?? DEFAULTS.rateLimit.limit)
  const windowMs = checkCount('windowMs', options.windowMs ?? DEFAULTS.rateLimit.windowMs)
  const seconds = Math.ceil(windowMs / 1000)
  const allowed = limit === 1 ? '1 request is allowed' : `${limit} requests are allowed`
  const time = seconds === 1 ? '1 second' : `${seconds} seconds`

  const library: typeof import('express-rate-limit') = require('express-rate-limit')
  const limiterFor = (clock: Clock) =>
    library.rateLimit({
      limit,
      windowMs,
      retryAfter: seconds,
      keyGenerator: (req) => clientOf(req, library.ipKeyGenerator(req.ip ?? '')),
      store: new WindowStore(windowMs, clock, windows),
      // What it would warn about is checked above, or up to the owner of the surrounding app.
      validate: false,
      handler(_req, res) {
        refuse(res, 'rate-limit', 429, {
          error: 'Too Many Requests',
          message: `Only ${allowed} per ${time}. Wait ${time}, then try again.`,
          code: 'RATE_LIMIT_EXCEEDED',
        })
      },
    })
  const limiters = new WeakMap<Clock, RequestHandler>()
  const windows: Windows = new Map()
  const { clockOf } = options

  return function rateLimit(req, res, next) {
    // Out of requests, one must still be able to turn the clock on.
    if (clockOf && isControl(req)) return next()
    const clock = (clockOf ?? REAL_TIME)(req)
    const limiter = limiters.get(clock) ?? limiterFor(clock)
    limiters.set(clock, limiter)
    exposeTo(req, res, HEADERS)
    return limiter(req, res, next)
  }
}

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']

/** Hashed, so that no key or token stays in memory, and long ones take no more room than short ones. */
function clientOf(req: Request, address: string): string {
  const key = req.headers['x-api-key']
  const token = bearerToken(req)
  const session = sessionOf(req)
  const where = session ? `session ${session} ` : ''
  const client = key ? `key ${key}` : token ? `token ${token}` : `address ${address}`
  return createHash('sha256').update(`${where}${client}`).digest('base64')
}

function checkCount(key: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT) return value
  throw new ConfigError(`rateLimit.${key} must be a whole number from 1 to ${MAX_COUNT}`)
}

const MAX_COUNT = 2 ** 31 - 1

/** Clients tracked at a time, in all sessions together: a few megabytes, however many keys somebody makes up. */
const MAX_CLIENTS = 10_000

interface Window {
  totalHits: number
  /** What the clock will show then, for the response header. */
  readonly resetTime: Date
  readonly clock: Clock
  /** By `clock.steady`, immune to changes of the system's clock. */
  readonly end: number
  /** Of the clock, when it started. */
  readonly stepsBack: number
}

/** By client, oldest first. */
type Windows = Map<string, Window>

/** Also when the clock was set back: the header would name a time that is far ahead. */
function isOver({ clock, end, stepsBack }: Window): boolean {
  return clock.steady() >= end || clock.stepsBack !== stepsBack
}

/**
 * Counts per client and window. Where all go by one clock, the windows end in the order of the map: eviction needs no
 * timer and no search. A window of another clock may stay behind one that lasts longer, and is dropped when it is the
 * oldest, or asked for.
 */
class WindowStore implements Store {
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
    this.#forget(isOver)
    const known = this.#windows.get(client)
    // A session of the same name that ended had another clock.
    if (known?.clock === this.#clock && !isOver(known)) {
      known.totalHits++
      return known
    }
    // Set again, it is the youngest.
    this.#windows.delete(client)
    this.#forget(() => this.#windows.size >= MAX_CLIENTS)
    const fresh = this.#open()
    this.#windows.set(client, fresh)
    return fresh
  }

  decrement(client: string): void {
    const known = this.#windows.get(client)
    if (known !== undefined) known.totalHits--
  }

  resetKey(client: string): void {
    this.#windows.delete(client)
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

  #forget(isToGo: (oldest: Window) => boolean): void {
    for (const [client, window] of this.#windows) {
      if (!isToGo(window)) return
      this.#windows.delete(client)
    }
  }
}
