import type { Request, RequestHandler } from 'express'

/** Lets a request pass only where the client's own URL names the address: a rewrite rule must not open it. */
export const ownUrl: RequestHandler = (req, _res, next) => {
  if (isOwnUrl(req)) next()
  else next('route')
}

/** The same for all routes of a router. */
export const ownUrls: RequestHandler = (req, _res, next) => {
  if (isOwnUrl(req)) next()
  else next('router')
}

function isOwnUrl({ baseUrl, url, originalUrl }: Request): boolean {
  return `${baseUrl}${url}` === originalUrl
}
