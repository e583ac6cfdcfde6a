import type { RequestHandler } from 'express'

/**
 * Keeps what is answered from pages of other origins that take it without asking, by `<script>` and the like: browsers
 * do not hand it over. Where the router sees this header, it answers no JSONP either.
 */
export function sameOrigin(): RequestHandler {
  return function sameOrigin(_req, res, next) {
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    next()
  }
}
