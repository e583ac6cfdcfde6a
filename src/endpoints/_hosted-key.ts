import type { RequestHandler, Response } from 'express'
import type { ErrorBody } from '../errors.ts'
import { REAL_TIME } from '../http/clock-of.ts'
import { constantTimeEqual } from '../http/constant-time.ts'
import { sendFault } from './_answer.ts'

/** Lets a request through only with this key as `X-Api-Key`. */
export function requireKey(expected: string): RequestHandler {
  return function requireKey(req, res, next) {
    // A client with an empty key may still send the header.
    const sent = req.get('X-Api-Key')
    if (!sent) return refuse(res, 401, { ...MISSING, timestamp: REAL_TIME().iso() })
    if (!constantTimeEqual(sent, expected)) return refuse(res, 403, INVALID)
    next()
  }
}

const MISSING: ErrorBody = {
  error: 'Unauthorized',
  message: 'Send an API key in the X-Api-Key header',
  code: 'API_KEY_MISSING',
}

const INVALID: ErrorBody = {
  error: 'Forbidden',
  message: 'The API key in the X-Api-Key header is not valid',
  code: 'API_KEY_INVALID',
}

/** Records which layer refused it, as the layers do. */
function refuse(res: Response, status: number, body: ErrorBody): void {
  res.locals.refusedBy = 'hosted'
  sendFault(res, status, body)
}
