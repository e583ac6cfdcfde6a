import reflect from 'cors'
import type { RequestHandler } from 'express'
import { addExposed, EXPOSED_HEADERS } from '../../http/headers.ts'

/** Lets every origin read responses, with credentials: json-server's default. */
export function reflectOrigin(): RequestHandler {
  const allow = reflect({ origin: true, credentials: true })

  return function reflectOrigin(req, res, next) {
    // On every response, including refusals: a script can only react to what it can read.
    if (req.headers.origin !== undefined && req.method !== 'OPTIONS') addExposed(res, EXPOSED_HEADERS)
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
