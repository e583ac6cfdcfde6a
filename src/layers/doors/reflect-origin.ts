import reflect from 'cors'
import type { RequestHandler, Response } from 'express'
import { EXPOSED_HEADERS } from '../../http/exposed-headers.ts'

/** Lets every origin read answers, with credentials: what json-server does unless it is told otherwise. */
export function reflectOrigin(): RequestHandler {
  const allow = reflect({ origin: true, credentials: true })

  return function reflectOrigin(req, res, next) {
    if (req.headers.origin !== undefined && req.method !== 'OPTIONS') exposeHeaders(res)
    // Without an origin there is nothing to reflect, and these two headers are all that `cors` would send.
    if (req.headers.origin !== undefined || req.method === 'OPTIONS' || res.hasHeader('Vary')) {
      allow(req, res, next)
      return
    }
    res.setHeader('Vary', 'Origin')
    res.setHeader('Access-Control-Allow-Credentials', 'true')
    next()
  }
}

/** On every answer, refusals too: a script can only react to what it can read. */
function exposeHeaders(res: Response): void {
  if (!res.hasHeader('Access-Control-Expose-Headers')) {
    res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(', '))
  }
}
