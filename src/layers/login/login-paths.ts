import type { Request } from 'express'
import { plainPath } from '../_guard.ts'

/** Where clients log in with a password. */
export const LOGIN_PATHS: readonly string[] = ['/login', '/signin', '/auth/login']

/** Whether a request logs in, below any path: layers that log people in may be mounted anywhere. */
export function isLoginAttempt(req: Request): boolean {
  const path = req.method === 'POST' ? plainPath(req) : undefined
  return path !== undefined && LOGIN_PATHS.some((login) => path.endsWith(login))
}
