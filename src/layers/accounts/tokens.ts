import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Link } from './chains.ts'
import { SignedTokens, type SignedTokensOptions, type TokenFault } from './signed-tokens.ts'

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
