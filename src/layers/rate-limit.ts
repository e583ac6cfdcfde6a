import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Request, RequestHandler } from 'express'
import type { Clock } from '../clock/clock.ts'
import { ConfigError } from '../errors.ts'
import { type ClockOf, REAL_TIME } from '../http/clock-of.ts'
import { isControl } from '../http/control-paths.ts'
import { exposeTo } from '../http/exposed-headers.ts'
import { sessionOf } from '../http/session-of.ts'
import { DEFAULTS } from './_defaults.ts'
import { bearerToken, checkOptions, refuse } from './_guard.ts'
import { ADDRESS, WindowStore, type Windows } from './_window-store.ts'
import { isLoginAttempt } from './login/endpoint-paths.ts'

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
  /** The clock of logins: a request cannot choose another by naming a session. @internal */
  clock?: Clock
}

/**
 * Limits the requests per client and window. A client is an API key, else a bearer token, else an IP address; in each
 * session it is another one. Logins always count by address: all else can be made up for each attempt.
 * @example app.use(rateLimit({ limit: 100, windowMs: 60_000 }))
 */
export function rateLimit(options: RateLimitOptions = {}): RequestHandler {
  checkOptions('rateLimit', options, ['limit', 'windowMs', 'clockOf', 'clock'])
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
        const message = `Only ${allowed} per ${time}. Wait ${time}, then try again.`
        refuse(res, 'rate-limit', 'RATE_LIMIT_EXCEEDED', message)
      },
    })
  const limiters = new WeakMap<Clock, RequestHandler>()
  const windows: Windows = { addresses: new Map(), claims: new Map() }
  const { clockOf, clock: base } = options

  return function rateLimit(req, res, next) {
    // Out of requests, one must still be able to turn the clock on.
    if (clockOf && isControl(req)) return next()
    const clock = (isLoginAttempt(req) && base) || (clockOf ?? REAL_TIME)(req)
    const limiter = limiters.get(clock) ?? limiterFor(clock)
    limiters.set(clock, limiter)
    exposeTo(req, res, HEADERS)
    return limiter(req, res, next)
  }
}

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']

/** Whom a request counts for. Claims are hashed: no key or token stays in memory, and long ones take no more room. */
function clientOf(req: Request, ip: string): string {
  const key = req.headers['x-api-key']
  const token = bearerToken(req)
  const session = sessionOf(req)
  const address = `${ADDRESS}${ip}`
  if (isLoginAttempt(req) || !(key || token || session)) return address
  const where = session ? `session ${session} ` : ''
  const client = key ? `key ${key}` : token ? `token ${token}` : address
  return createHash('sha256').update(`${where}${client}`).digest('base64')
}

function checkCount(key: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT) return value
  throw new ConfigError(`rateLimit.${key} must be a whole number from 1 to ${MAX_COUNT}`)
}

const MAX_COUNT = 2 ** 31 - 1
