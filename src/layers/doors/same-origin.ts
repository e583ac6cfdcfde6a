import type { RequestHandler } from 'express'

/**
 * Keeps pages of other origins from embedding responses with `<script>` and the like: browsers
 * block it. The router also sends no JSONP if this header is set.
 */
export function sameOrigin(): RequestHandler {
  return function sameOrigin(_req, res, next) {
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    next()
  }
}
