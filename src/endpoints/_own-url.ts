import type { RequestHandler } from 'express'

/** Lets a request pass only where the client's own URL names the address: a rewrite rule must not open it. */
export const ownUrl = otherwise('route')

/** The same for all routes of a router. */
export const ownUrls = otherwise('router')

function otherwise(leave: 'route' | 'router'): RequestHandler {
  return ({ baseUrl, url, originalUrl }, _res, next) => {
    if (`${baseUrl}${url}` === originalUrl) next()
    else next(leave)
  }
}
