import reflect from 'cors'
import type { RequestHandler } from 'express'

/** Lets every origin read answers, with credentials: what json-server does unless it is told otherwise. */
export function reflectOrigin(): RequestHandler {
  const allow = reflect({ origin: true, credentials: true })

  return function reflectOrigin(req, res, next) {
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
