import type { Request } from 'express'
import { plainPath } from '../_guard.ts'
import { ACCOUNT_PATHS } from './sign-in-paths.ts'

/** Whether a request logs in, below any path: layers that log people in may be mounted anywhere. */
export function isLoginAttempt(req: Request): boolean {
  const path = req.method === 'POST' ? plainPath(req) : undefined
  return path !== undefined && ACCOUNT_PATHS.login.some((login) => path.endsWith(login))
}
