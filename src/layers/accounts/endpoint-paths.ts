import type { Request } from 'express'
import type { RewriteUrl } from '../../http/request-url.ts'
import { plainPath } from '../_guard.ts'

/** The paths by which a request may name an endpoint: its own, and what rules make of it. None where parsers may disagree. */
export function endpointPaths(req: Request, rewrite: RewriteUrl = () => req.url): readonly string[] {
  const { baseUrl, originalUrl } = req
  const own = plainPath(originalUrl)
  if (own === undefined || !own.startsWith(baseUrl)) return []
  const rewritten = plainPath(rewrite(originalUrl.slice(baseUrl.length)))
  return [own.slice(baseUrl.length), ...(rewritten === undefined ? [] : [rewritten])]
}

export const ACCOUNT_PATHS = {
  register: ['/register', '/signup', '/auth/register'],
  login: ['/login', '/signin', '/auth/login'],
  refresh: ['/refresh', '/auth/refresh', '/refresh-token'],
  logout: ['/logout', '/auth/logout'],
  me: ['/me', '/auth/me'],
} as const

export const JWT_LOGIN_PATHS = ['/login', '/auth/login'] as const

/** Whether a request logs in, below any path: layers that log people in may be mounted anywhere. */
export function isLoginAttempt(req: Request): boolean {
  const path = req.method === 'POST' ? plainPath(req.originalUrl) : undefined
  return path !== undefined && ACCOUNT_PATHS.login.some((login) => path.endsWith(login))
}
