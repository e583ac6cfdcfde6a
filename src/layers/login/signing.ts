import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { JwtPayload, SignOptions } from 'jsonwebtoken'
import { ConfigError } from '../../errors.ts'
import type { Log } from '../_guard.ts'

const require = createRequire(import.meta.url)

/** Loaded lazily: few servers need it. */
const library = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

/** Signs a token. `now` is in milliseconds since 1970. */
export function signToken(claims: object, secret: KeyObject, seconds: number, now: number): string {
  // Set here: the library would take an `iat` of 0 for none.
  const iat = Math.floor(now / 1000)
  return library().sign({ ...claims, iat, exp: iat + seconds }, secret, { algorithm: 'HS256' })
}

/** The claims of a token, or why it is not accepted. */
export function readToken(token: string, secret: KeyObject, now: number): JwtPayload | 'expired' | 'forged' {
  const { verify, TokenExpiredError } = library()
  try {
    // Its own check would take a time of 0 for none, and ask the system.
    const claims = verify(token, secret, {
      algorithms: ['HS256'],
      clockTimestamp: Math.max(1, Math.floor(now / 1000)),
    })
    return typeof claims === 'string' ? 'forged' : claims
  } catch (error) {
    return error instanceof TokenExpiredError ? 'expired' : 'forged'
  }
}

/** The signing key: from the options, the environment, or else random, which `log` is told of. */
export function secretOf(option: unknown, log?: Log, name = 'jwt.secret'): KeyObject {
  if (option !== undefined) return keyOf(name, option)
  const variable = process.env.JWT_SECRET
  if (variable !== undefined) return keyOf('JWT_SECRET', variable)
  log?.(
    'jwt: tokens are signed with a random secret and stop working when the server restarts; set jwt.secret or JWT_SECRET to keep them',
  )
  return createSecretKey(randomBytes(32))
}

/** A lifetime in whole seconds, from a number of seconds or a string with a unit. */
export function lifetimeOf(option: unknown, name = 'jwt.expiresIn'): number {
  const seconds = typeof option === 'string' ? readText(option) : option
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= CENTURY) {
    return seconds
  }
  throw new ConfigError(
    `${name}: ${JSON.stringify(option)} is not a lifetime; write whole seconds as a number (3600) ` +
      'or a string with a unit ("15m", "1h", "7d"), from 1 second to 100 years',
  )
}

const CENTURY = 100 * 366 * 24 * 3600

function keyOf(name: string, secret: unknown): KeyObject {
  if (typeof secret === 'string' && secret !== '') return createSecretKey(Buffer.from(secret))
  throw new ConfigError(`${name} must be a non-empty string; leave it out for a random secret`)
}

/** Without a unit, jsonwebtoken would read milliseconds, which nobody who writes "3600" means. */
function readText(text: string): number | undefined {
  if (!/[a-z]$/i.test(text)) return undefined
  try {
    // Lets jsonwebtoken parse the string. An iat of 0 would count as none.
    const probe = library().sign({ iat: 1 }, 'probe', {
      expiresIn: text as SignOptions['expiresIn'] & string,
    })
    const claims = library().decode(probe, { json: true })
    return claims?.exp === undefined ? undefined : claims.exp - 1
  } catch {
    return undefined
  }
}
