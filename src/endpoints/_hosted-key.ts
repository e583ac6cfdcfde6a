import type { RequestHandler, Response } from 'express'
import type { ErrorBody } from '../errors.ts'
import { constantTimeEqual } from '../http/constant-time.ts'
import { sendFault } from './_answer.ts'

/** Lets a request through only with this key as `X-Api-Key`. */
export function requireKey(expected: string): RequestHandler {
  return function requireKey(req, res, next) {
    // A client whose key was left empty may send the header all the same.
    const sent = req.get('X-Api-Key')
    if (!sent) return refuse(res, 401, { ...MISSING, timestamp: new Date().toISOString() })
    if (!constantTimeEqual(sent, expected)) return refuse(res, 403, INVALID)
    next()
  }
}

const MISSING: ErrorBody = {
  error: 'Unauthorized',
  message: 'Send an API key in the header X-Api-Key',
  code: 'API_KEY_MISSING',
}

const INVALID: ErrorBody = {
  error: 'Forbidden',
  message: 'The API key in the header X-Api-Key is not valid here',
  code: 'API_KEY_INVALID',
}

/** Leaves a note of who stopped it, as the layers do. */
function refuse(res: Response, status: number, body: ErrorBody): void {
  res.locals.refusedBy = 'hosted'
  sendFault(res, status, body)
}
