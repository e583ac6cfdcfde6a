import type { Request } from 'express'
import type { RewriteUrl } from '../../http/rewrite-url.ts'
import { ACCOUNT_PATHS, endpointPaths, JWT_LOGIN_PATHS } from '../../layers/accounts/endpoints.ts'
import type { Config } from '../config/config.ts'
import { accountsOf } from '../config/sign-in.ts'

/** Whether a request logs a user in or out, or refreshes a login: it is no read, and changes no row. */
export function isLogin(config: Config, rewrite: RewriteUrl): (req: Request) => boolean {
  const paths = new Set(loginPaths(config))
  return (req) =>
    req.method === 'POST' &&
    req.headers['x-http-method-override'] === undefined &&
    endpointPaths(req, rewrite).some((path) => paths.has(path))
}

function loginPaths(config: Config): readonly string[] {
  const { login, refresh, logout } = ACCOUNT_PATHS
  if (accountsOf(config)) return [...login, ...refresh, ...logout]
  return config.middlewares.includes('jwt') ? JWT_LOGIN_PATHS : []
}
