import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Request } from 'express'
import type { JwtPayload, SignOptions } from 'jsonwebtoken'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { type ClockOf, REAL_TIME } from '../../http/request-context.ts'
import { isControl } from '../../http/server-paths.ts'
import type { Log } from '../_guard.ts'

const require = createRequire(import.meta.url)

/** Loaded lazily: few servers need it. */
const library = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

export interface SignedTokensOptions {
  readonly secret: KeyObject
  readonly clockOf: ClockOf
  /** Which session a request is part of: not its name, which a later one may have. Empty for none. */
  readonly sessionIdOf: (req: Request) => string
}

/** Why a token is not accepted; `elsewhere` if its user is one of another session. */
export type TokenFault = 'expired' | 'forged' | 'elsewhere'

/** Tokens that this server signs, by the clock and for the session of a request. */
export class SignedTokens {
  readonly #options: SignedTokensOptions

  constructor(options: SignedTokensOptions) {
    this.#options = options
  }

  sign(req: Request, claims: object, seconds: number): string {
    const { secret, clockOf, sessionIdOf } = this.#options
    const session = sessionIdOf(req)
    // Set here: the library would take an `iat` of 0 for none.
    const iat = Math.floor(clockOf(req).now() / 1000)
    const all = { ...claims, ...(session && { session }), iat, exp: iat + seconds }
    return library().sign(all, secret, { algorithm: 'HS256' })
  }

  /** The claims of a token. One that either clock accepts can turn the server's clock: nobody locks themselves out. */
  read(req: Request, token: string): JwtPayload | TokenFault {
    const claims = this.#verify(req, token, this.#options.clockOf(req).now())
    return claims === 'expired' && isControl(req) ? this.#verify(req, token, REAL_TIME().now()) : claims
  }

  /** The claims, also if the token has expired. */
  readOld(req: Request, token: string): JwtPayload | TokenFault {
    return this.#verify(req, token, 0)
  }

  #verify(req: Request, token: string, now: number): JwtPayload | TokenFault {
    const { secret, sessionIdOf } = this.#options
    const { verify, TokenExpiredError } = library()
    // The library would take a time of 0 for none, and ask the system.
    const clockTimestamp = Math.max(1, Math.floor(now / 1000))
    try {
      const claims = verify(token, secret, { algorithms: ['HS256'], clockTimestamp })
      if (typeof claims === 'string') return 'forged'
      return (claims.session ?? '') === sessionIdOf(req) ? claims : 'elsewhere'
    } catch (error) {
      return error instanceof TokenExpiredError ? 'expired' : 'forged'
    }
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
