import type { RequestHandler } from 'express'

/** Keeps pages of other origins from embedding responses with `<script>`. The router then sends no JSONP either. */
export function sameOrigin(): RequestHandler {
  return function sameOrigin(_req, res, next) {
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    next()
  }
}
