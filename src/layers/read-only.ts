import type { RequestHandler } from 'express'
import { isRead, refuse } from './_guard.ts'

/** Refuses every request that could change data. */
export function readOnly(): RequestHandler {
  return function readOnly(req, res, next) {
    if (isRead(req)) return next()
    refuse(res, 'read-only', 403, {
      error: 'Read-only',
      message: 'This server is read-only: only GET, HEAD and OPTIONS are allowed.',
      code: 'READ_ONLY',
    })
  }
}
