import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Request, Response } from 'express'
import type { JwtPayload, SignOptions } from 'jsonwebtoken'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { type ClockOf, REAL_TIME } from '../../http/clock-of.ts'
import { isControl } from '../../http/control-paths.ts'
import type { Log } from '../parts/options.ts'
import type { Link } from './logins.ts'

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

interface Claims extends Link {
  readonly subject: string
  readonly expiresAt: number
}

interface LoginTokensOptions extends SignedTokensOptions {
  readonly accessFor: number
  readonly refreshFor: number
}

interface IssuedTokens {
  readonly accessToken: string
  /** The same, under the name that many clients look for. */
  readonly token: string
  readonly refreshToken: string
  readonly expiresIn: number
}

type Kind = 'access' | 'refresh'

/** Makes and reads the tokens of a login. */
export class LoginTokens {
  readonly #signed: SignedTokens
  readonly #options: LoginTokensOptions

  constructor(options: LoginTokensOptions) {
    this.#signed = new SignedTokens(options)
    this.#options = options
  }

  /** @param shown what clients may read in the access token: email and role */
  issue(req: Request, subject: string, { chain, serial }: Link, shown: object): IssuedTokens {
    const { accessFor, refreshFor } = this.#options
    const claims = { sub: subject, chain }
    // No two are the same, though they are made within a second.
    const access = { ...shown, ...claims, jti: randomUUID(), kind: 'access' }
    const accessToken = this.#signed.sign(req, access, accessFor)
    const refreshToken = this.#signed.sign(req, { ...claims, serial, kind: 'refresh' }, refreshFor)
    return { accessToken, token: accessToken, refreshToken, expiresIn: accessFor }
  }

  /** What a token of this kind says, or why it is not accepted. */
  read(req: Request, token: string, kind: Kind): Claims | TokenFault {
    const claims = this.#signed.read(req, token)
    if (typeof claims === 'string') return claims
    const { sub, chain, exp, serial = '' } = claims
    if (claims.kind !== kind || sub === undefined || typeof chain !== 'string') return 'forged'
    return { subject: sub, chain, serial: String(serial), expiresAt: (exp ?? 0) * 1000 }
  }

  /** Which login a token is of, of whatever kind and however old. */
  chainOf(req: Request, token: string): string | undefined {
    const claims = this.#signed.readOld(req, token)
    return typeof claims === 'object' && typeof claims.chain === 'string' ? claims.chain : undefined
  }
}

const ACCESS = 'access_token'
const REFRESH = 'refresh_token'

export function cookieToken(req: Request, kind: Kind): string | undefined {
  const name = kind === 'access' ? ACCESS : REFRESH
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined
  }
  return undefined
}

/** Scripts cannot read them, and they go when the browser closes. Pages of other sites cannot send them along. */
export function setTokenCookies(req: Request, res: Response, tokens: IssuedTokens): void {
  append(req, res, ACCESS, tokens.accessToken)
  append(req, res, REFRESH, tokens.refreshToken)
}

export function clearTokenCookies(req: Request, res: Response): void {
  for (const name of [ACCESS, REFRESH]) append(req, res, name, '', '; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
}

function append(req: Request, res: Response, name: string, value: string, end = ''): void {
  const secure = req.secure ? '; Secure' : ''
  res.append('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`)
}
