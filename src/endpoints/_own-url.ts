import type { RequestHandler } from 'express'

/** Lets a request pass only where the client's own URL names the address: a rewrite rule must not open it. */
export const ownUrl: RequestHandler = (req, _res, next) => {
  if (`${req.baseUrl}${req.url}` === req.originalUrl) next()
  else next('route')
}
