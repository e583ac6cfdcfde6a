import { type KeyObject, randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { readToken, signToken } from '../login/signing.ts'
import type { Link } from './chains.ts'

interface Claims extends Link {
  readonly subject: string
  /** The session whose data the user is in; empty for none. */
  readonly session: string
}

interface ReadClaims extends Claims {
  readonly expiresAt: number
}

interface TokensOptions {
  readonly secret: KeyObject
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

/** Makes and reads the tokens of the accounts layer. Times are in milliseconds since 1970, by the server's clock. */
export class Tokens {
  readonly #options: TokensOptions

  constructor(options: TokensOptions) {
    this.#options = options
  }

  /** @param shown what clients may read in the access token: email and role */
  issue({ subject, session, chain, serial }: Claims, shown: object, now: number): IssuedTokens {
    const { secret, accessFor, refreshFor } = this.#options
    const claims = { sub: subject, chain, ...(session && { session }) }
    // No two are the same, though they are made within a second.
    const jti = randomUUID()
    const accessToken = signToken({ ...shown, ...claims, jti, kind: 'access' }, secret, accessFor, now)
    const refreshToken = signToken({ ...claims, serial, kind: 'refresh' }, secret, refreshFor, now)
    return { accessToken, token: accessToken, refreshToken, expiresIn: accessFor }
  }

  /** What a token of this kind says, or why it is not accepted. */
  read(token: string, kind: Kind, now: number): ReadClaims | 'expired' | 'forged' {
    const claims = readToken(token, this.#options.secret, now)
    if (typeof claims === 'string') return claims
    const { sub, chain, exp, serial = '', session = '' } = claims
    if (claims.kind !== kind || sub === undefined || typeof chain !== 'string') return 'forged'
    const expiresAt = (exp ?? 0) * 1000
    return { subject: sub, chain, serial: String(serial), session: String(session), expiresAt }
  }

  /** Which login a token is of, however old it is. */
  chainOf(token: string): Claims | undefined {
    for (const kind of ['access', 'refresh'] as const) {
      const claims = this.read(token, kind, LONG_AGO)
      if (typeof claims === 'object') return claims
    }
    return undefined
  }
}

const LONG_AGO = 0

const ACCESS = 'access_token'
const REFRESH = 'refresh_token'

export function cookieToken(req: Request, kind: 'access' | 'refresh'): string | undefined {
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
