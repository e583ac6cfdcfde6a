import reflect from 'cors'
import type { RequestHandler, Response } from 'express'
import { EXPOSED_HEADERS } from '../../http/exposed-headers.ts'

/** Lets every origin read responses, with credentials: json-server's default. */
export function reflectOrigin(): RequestHandler {
  const allow = reflect({ origin: true, credentials: true })

  return function reflectOrigin(req, res, next) {
    if (req.headers.origin !== undefined && req.method !== 'OPTIONS') exposeHeaders(res)
    // Fast path: without an origin there is nothing to reflect, and `cors` would send only these two headers.
    if (req.headers.origin !== undefined || req.method === 'OPTIONS' || res.hasHeader('Vary')) {
      allow(req, res, next)
      return
    }
    res.setHeader('Vary', 'Origin')
    res.setHeader('Access-Control-Allow-Credentials', 'true')
    next()
  }
}

/** On every response, including refusals: a script can only react to what it can read. */
function exposeHeaders(res: Response): void {
  if (!res.hasHeader('Access-Control-Expose-Headers')) {
    res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(', '))
  }
}
