import type { Request, RequestHandler, Response } from 'express'
import { constantTimeEqual } from '../kernel/http/constant-time.ts'
import { bearerToken, guardExcept, refuseRequest } from './parts/guard.ts'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS } from './parts/options.ts'

export interface BearerOptions {
  /** The one accepted token. @default 'mock-bearer-token' */
  token?: string
  /**
   * Paths that need no token, including everything below them; written in full, as the client sends them. Other resources
   * that relations and nested paths lead to still need one.
   * @default ['/auth/login', '/health']
   */
  publicRoutes?: readonly string[]
}

/**
 * Lets a request through only with `Authorization: Bearer <the one token>`, as user 1 with the role `admin`.
 * @example app.use(bearer({ token: 'my-token' }))
 */
export function bearer(options: BearerOptions = {}): RequestHandler {
  checkOptions('bearer', options)
  const { token: expected = 'mock-bearer-token', publicRoutes = DEFAULTS.bearer.publicRoutes } = options

  const guard = guardExcept(publicRoutes, admit)

  return function bearer(req, res, next) {
    guard(req, res, next)
  }

  function admit(req: Request, res: Response): boolean {
    const token = bearerToken(req)
    if (token !== undefined && constantTimeEqual(token, expected)) {
      Object.assign(req, { user: { id: 1, role: 'admin' } })
      return true
    }
    const [code, message] = token === undefined ? MISSING : WRONG
    refuseRequest(res, 'bearer', code, message)
    return false
  }
}

const MISSING = ['AUTH_REQUIRED', 'A token is required. Send it as "Authorization: Bearer <token>".'] as const
const WRONG = ['AUTH_FORBIDDEN', 'This token is not accepted here. Check it for typos.'] as const
