import reflect from 'cors'
import type { Request, RequestHandler } from 'express'
import { addExposed, EXPOSED_HEADERS } from '../kernel/http/headers.ts'
import { isRead, refuseRequest } from './parts/guard.ts'

/** Tells browsers and proxies to revalidate before reusing a response. */
export const noCache: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-cache')
  res.setHeader('Pragma', 'no-cache')
  res.setHeader('Expires', '-1')
  next()
}

/** Lets every origin read responses, with credentials: json-server's default. */
export const reflectOrigin: RequestHandler = (req, res, next) => {
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

const allow = reflect({ origin: true, credentials: true })

/** Keeps pages of other origins from embedding responses with `<script>`. The router then sends no JSONP either. */
export const sameOrigin: RequestHandler = (_req, res, next) => {
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  next()
}

/** Refuses every request that could change data, unless `isHarmless`. */
export function readOnly(isHarmless: (req: Request) => boolean = () => false): RequestHandler {
  return function readOnly(req, res, next) {
    if (isRead(req) || isHarmless(req)) return next()
    const message = 'This server is read-only: only GET, HEAD and OPTIONS are allowed.'
    refuseRequest(res, 'read-only', 'READ_ONLY', message)
  }
}
