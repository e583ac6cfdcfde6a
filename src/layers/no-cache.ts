import type { RequestHandler } from 'express'

/** Tells browsers and proxies to revalidate before reusing a response. */
export function noCache(): RequestHandler {
  return function noCache(_req, res, next) {
    res.setHeader('Cache-Control', 'no-cache')
    res.setHeader('Pragma', 'no-cache')
    res.setHeader('Expires', '-1')
    next()
  }
}
