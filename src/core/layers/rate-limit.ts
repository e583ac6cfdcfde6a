import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { exposeTo } from '../kernel/http/headers.ts'
import type { RewriteUrl } from '../kernel/http/request-url.ts'
import { isControl } from '../kernel/http/server-paths.ts'
import { isInWorld, worldOf } from '../kernel/http/world.ts'
import type { Clock } from '../kernel/util/clock.ts'
import { Lru } from '../kernel/util/lru.ts'
import { isLoginAttempt } from './accounts/endpoints.ts'
import { bearerToken, refuseRequest } from './parts/guard.ts'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS } from './parts/options.ts'

export interface RateLimitOptions {
  /** Requests per client and window. @default 10 */
  limit?: number
  /** Length of the window in milliseconds; it starts with the client's first request. @default 60000 */
  windowMs?: number
  /** Rewrites a URL as the rules behind this layer do. @internal */
  rewrite?: RewriteUrl
}

/**
 * Limits the requests per client and window. A client is an API key, else a bearer token, else an IP address; in each
 * session it is another one. Logins always count by address: all else can be made up for each attempt.
 * @example app.use(rateLimit({ limit: 100, windowMs: 60_000 }))
 */
export function rateLimit(options: RateLimitOptions = {}): RequestHandler {
  checkOptions('rateLimit', options)
  const { limit = DEFAULTS.rateLimit.limit, windowMs = DEFAULTS.rateLimit.windowMs } = options
  const { rewrite } = options
  const seconds = Math.ceil(windowMs / 1000)
  const allowed = limit === 1 ? '1 request is allowed' : `${limit} requests are allowed`
  const time = seconds === 1 ? '1 second' : `${seconds} seconds`
  // Apart: made-up keys must not evict addresses.
  const [addresses, claims]: [Windows, Windows] = [new Lru(ROOM), new Lru(ROOM)]
  const counted = new WeakSet<Request>()

  return function rateLimit(req, res, next) {
    // A client that is over the limit must still be able to change the clock.
    if (isInWorld(req) && isControl(req)) return next()
    const isLogin = isLoginAttempt(req, rewrite)
    if (isLogin && counted.has(req)) return next()
    if (isLogin) counted.add(req)
    const world = worldOf(req)
    // The base's for logins: a request cannot choose another clock by naming a session.
    const { clock } = isLogin ? world.base : world
    const claim = isLogin ? undefined : claimOf(req)
    const window = claim
      ? currentWindow(claims, claim, windowMs, clock)
      : currentWindow(addresses, networkOf(req.ip), windowMs, clock)
    window.hits += 1
    exposeTo(req, res, HEADERS)
    res.setHeader('X-RateLimit-Limit', String(limit))
    res.setHeader('X-RateLimit-Remaining', String(Math.max(0, limit - window.hits)))
    res.setHeader('X-RateLimit-Reset', String(Math.ceil(window.resetTime / 1000)))
    if (window.hits <= limit) return next()
    res.setHeader('Retry-After', String(seconds))
    const message = `Only ${allowed} per ${time}. Wait ${time}, then try again.`
    refuseRequest(res, 'rate-limit', 'RATE_LIMIT_EXCEEDED', message)
  }
}

const HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']

/** Addresses tracked at a time, and as many keys: a few megabytes in all sessions. */
const ROOM = { limit: 10_000 }

interface Window {
  hits: number
  readonly resetTime: number
  readonly clock: Clock
  /** By `clock.steady`, immune to changes of the system's clock. */
  readonly end: number
  readonly stepsBack: number
}

/** By client. Those that began first are evicted. */
type Windows = Lru<string, Window>

function currentWindow(windows: Windows, client: string, windowMs: number, clock: Clock): Window {
  const current = windows.peek(client)
  // A session of the same name that ended had another clock. If it was set back, the header would name a time far ahead.
  const isSame = current?.clock === clock && current.stepsBack === clock.stepsBack
  if (isSame && clock.steady() < current.end) return current
  const [resetTime, end] = [clock.now() + windowMs, clock.steady() + windowMs]
  const fresh = { hits: 0, resetTime, clock, end, stepsBack: clock.stepsBack }
  windows.set(client, fresh)
  return fresh
}

/** The client that a request claims to be. Hashed: no key or token stays in memory, and long ones take no more room. */
function claimOf(req: Request): string | undefined {
  const key = req.headers['x-api-key']
  const token = bearerToken(req)
  const session = worldOf(req).name
  if (!(key || token || session)) return undefined
  const where = session ? `session ${session} ` : ''
  const client = key ? `key ${key}` : token ? `token ${token}` : `address ${networkOf(req.ip)}`
  return createHash('sha256').update(`${where}${client}`).digest('base64')
}

/** An IPv4 address, however it is written. Of an IPv6 address the first 56 bits: its owner can use all below them. */
function networkOf(ip = ''): string {
  if (!isIPv6(ip)) return ip
  // A URL spells all addresses alike, without dots.
  const { hostname } = new URL(`http://[${ip.replace(/%.*/, '')}]`)
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const digits = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('')
  const isIPv4 = digits.startsWith('ffff'.padStart(24, '0'))
  return isIPv4 ? Buffer.from(digits.slice(24), 'hex').join('.') : digits.slice(0, 14)
}
