import type { Request, Response } from 'express'
import type { IssuedTokens } from './tokens.ts'

const ACCESS = 'access_token'
const REFRESH = 'refresh_token'

/** The token in a cookie; undefined if there is none. */
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
