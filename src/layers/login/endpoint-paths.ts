import type { Request } from 'express'
import type { RewriteUrl } from '../../http/rewrite-url.ts'
import { plainPath, plainPathIn } from '../_guard.ts'

/**
 * The paths by which a request may name an endpoint of a layer: the client's own, then what rewrite rules make of it. So
 * `/api/login` works as `/login` does where `/api/*` leads to `/$1`. None where parsers may disagree about the URL.
 * @param rewrite by rules behind the layer; by default, those in front of it count
 */
export function endpointPaths(req: Request, rewrite: RewriteUrl = () => req.url): readonly string[] {
  const { baseUrl, originalUrl } = req
  const own = plainPath(req)
  if (own === undefined || !own.startsWith(baseUrl)) return []
  const rewritten = plainPathIn(rewrite(originalUrl.slice(baseUrl.length)))
  return [own.slice(baseUrl.length), ...(rewritten === undefined ? [] : [rewritten])]
}

/** Where the layer `accounts` is asked for what. */
export const ACCOUNT_PATHS = {
  register: ['/register', '/signup', '/auth/register'],
  login: ['/login', '/signin', '/auth/login'],
  refresh: ['/refresh', '/auth/refresh', '/refresh-token'],
  logout: ['/logout', '/auth/logout'],
  me: ['/me', '/auth/me'],
} as const

/** Where the layer `jwt` logs users in. */
export const JWT_LOGIN_PATHS = ['/login', '/auth/login'] as const

/** Whether a request logs in, below any path: layers that log people in may be mounted anywhere. */
export function isLoginAttempt(req: Request): boolean {
  const path = req.method === 'POST' ? plainPath(req) : undefined
  return path !== undefined && ACCOUNT_PATHS.login.some((login) => path.endsWith(login))
}
