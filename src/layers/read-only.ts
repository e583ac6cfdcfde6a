import type { Request, RequestHandler } from 'express'
import { isRead, refuseRequest } from './parts/guard.ts'

/** Refuses every request that could change data, unless `isHarmless`. */
export function readOnly(isHarmless: (req: Request) => boolean = () => false): RequestHandler {
  return function readOnly(req, res, next) {
    if (isRead(req) || isHarmless(req)) return next()
    const message = 'This server is read-only: only GET, HEAD and OPTIONS are allowed.'
    refuseRequest(res, 'read-only', 'READ_ONLY', message)
  }
}
