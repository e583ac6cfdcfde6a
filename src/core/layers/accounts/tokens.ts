import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Request, Response } from 'express'
import type { JwtPayload, SignOptions } from 'jsonwebtoken'
import { ConfigError } from '../../kernel/catalogue/error-classes.ts'
import { isControl } from '../../kernel/http/server-paths.ts'
import { worldOf } from '../../kernel/http/world.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { Clock } from '../../kernel/util/clock.ts'
import type { Log } from '../parts/options.ts'
import type { LoginLink } from './logins.ts'

const require = createRequire(import.meta.url)

/** Loaded lazily: few servers need it. */
const library = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

/** A clock that nobody can set. */
const REAL_TIME = new Clock()

export interface SignedTokensOptions {
  readonly secret: KeyObject
}

/** Why a token is not accepted; `elsewhere` if its user is one of another session. */
export type TokenFault = 'expired' | 'forged' | 'elsewhere'

export const TOKEN_REFUSALS = {
  missing: 'Log in with POST /login, then send "Authorization: Bearer <token>".',
  forged: 'This token was not issued by this server. Log in with POST /login.',
  elsewhere: 'This token belongs to another session. Log in again with POST /login.',
} as const

/** Tokens that this server signs, by the clock and for the session of a request. */
export class SignedTokens<Options extends SignedTokensOptions = SignedTokensOptions> {
  protected readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  sign(req: Request, claims: object, seconds: number): string {
    const { id: session, clock } = worldOf(req)
    // Set here: the library would take an `iat` of 0 for none.
    const iat = Math.floor(clock.now() / 1000)
    const all = { ...claims, ...(session && { session }), iat, exp: iat + seconds }
    return library().sign(all, this.options.secret, { algorithm: 'HS256' })
  }

  /** The claims of a token. To change the server's clock, one that is valid by the real time will do: no lock-out. */
  read(req: Request, token: string): JwtPayload | TokenFault {
    const claims = this.verify(req, token, worldOf(req).clock.now())
    return claims === 'expired' && isControl(req) ? this.verify(req, token, REAL_TIME.now()) : claims
  }

  protected verify(req: Request, token: string, now: number): JwtPayload | TokenFault {
    const { secret } = this.options
    const { verify, TokenExpiredError } = library()
    // The library would take a time of 0 for none, and use the system's.
    const clockTimestamp = Math.max(1, Math.floor(now / 1000))
    try {
      const claims = verify(token, secret, { algorithms: ['HS256'], clockTimestamp })
      if (typeof claims === 'string') return 'forged'
      return (claims.session ?? '') === worldOf(req).id ? claims : 'elsewhere'
    } catch (error) {
      return error instanceof TokenExpiredError ? 'expired' : 'forged'
    }
  }
}

interface LoginClaims extends LoginLink {
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

type TokenKind = 'access' | 'refresh'

export class LoginTokens extends SignedTokens<LoginTokensOptions> {
  /** @param shown what clients may read in the access token: email and role */
  issue(req: Request, subject: string, { chain, serial }: LoginLink, shown: object): IssuedTokens {
    const { accessFor, refreshFor } = this.options
    const claims = { sub: subject, chain }
    // Makes tokens of the same second different.
    const access = { ...shown, ...claims, jti: randomUUID(), kind: 'access' }
    const accessToken = this.sign(req, access, accessFor)
    const refreshToken = this.sign(req, { ...claims, serial, kind: 'refresh' }, refreshFor)
    return { accessToken, token: accessToken, refreshToken, expiresIn: accessFor }
  }

  readLogin(req: Request, token: string, kind: TokenKind): LoginClaims | TokenFault {
    const claims = this.read(req, token)
    if (typeof claims === 'string') return claims
    const { sub, chain, exp, serial = '' } = claims
    if (claims.kind !== kind || sub === undefined || typeof chain !== 'string') return 'forged'
    return { subject: sub, chain, serial: String(serial), expiresAt: (exp ?? 0) * 1000 }
  }

  /** The login of a token, of whatever kind and however old. */
  chainOf(req: Request, token: string): string | undefined {
    const claims = this.verify(req, token, 0)
    return typeof claims === 'object' && typeof claims.chain === 'string' ? claims.chain : undefined
  }
}

const COOKIES: Readonly<Record<TokenKind, string>> = { access: 'access_token', refresh: 'refresh_token' }

export function cookieToken(req: Request, kind: TokenKind): string | undefined {
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === COOKIES[kind]) return part.slice(at + 1).trim() || undefined
  }
  return undefined
}

/** Scripts cannot read them, they end with the browser, and pages of other sites cannot send them along. */
export function setTokenCookies(req: Request, res: Response, tokens: IssuedTokens): void {
  appendCookie(req, res, COOKIES.access, tokens.accessToken)
  appendCookie(req, res, COOKIES.refresh, tokens.refreshToken)
}

export function clearTokenCookies(req: Request, res: Response): void {
  for (const name of Object.values(COOKIES))
    appendCookie(req, res, name, '', '; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
}

function appendCookie(req: Request, res: Response, name: string, value: string, end = ''): void {
  const secure = req.secure ? '; Secure' : ''
  res.append('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`)
}

/** The signing key: from the options, the environment, or else random, with a warning to `log`. */
export function secretOf(name: string, option: unknown, log?: Log): KeyObject {
  if (option !== undefined) return keyOf(name, option)
  const variable = process.env.JWT_SECRET
  if (variable !== undefined) return keyOf('JWT_SECRET', variable)
  log?.(
    'jwt: tokens are signed with a random secret and stop working when the server restarts; set jwt.secret or JWT_SECRET to keep them',
  )
  return createSecretKey(randomBytes(32))
}

function keyOf(name: string, secret: unknown): KeyObject {
  if (typeof secret === 'string' && secret !== '') return createSecretKey(Buffer.from(secret))
  throw new ConfigError(`${name} must be a non-empty string; leave it out for a random secret`)
}

export function lifetimeOf(name: string, option: unknown): number {
  const seconds = typeof option === 'string' ? readDuration(option) : option
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= CENTURY) {
    return seconds
  }
  throw new ConfigError(
    `${name}: ${JSON.stringify(option)} is not a lifetime; write whole seconds as a number (3600) ` +
      'or a string with a unit ("15m", "1h", "7d"), from 1 second to 100 years',
  )
}

const CENTURY = 100 * 366 * 24 * 3600

/** Without a unit, jsonwebtoken would read "3600" as milliseconds. */
function readDuration(text: string): number | undefined {
  if (!/[a-z]$/i.test(text)) return undefined
  const expiresIn = text as SignOptions['expiresIn'] & string
  // Lets jsonwebtoken parse the string. An iat of 0 would count as none.
  const probe = attempt(() => library().sign({ iat: 1 }, 'probe', { expiresIn }))
  const { exp } = (probe !== undefined && library().decode(probe, { json: true })) || {}
  return exp === undefined ? undefined : exp - 1
}
