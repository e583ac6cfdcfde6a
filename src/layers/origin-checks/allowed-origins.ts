import type { RequestHandler } from 'express'
import { type DoorOptions, foreignTo, knownOrigins, ownOrigin, turnAway } from './_origin-check.ts'

/** Lets pages through only from listed origins and this server. Programs send no origin, and pass; so do links and images. */
export function allowedOrigins(origins: readonly string[], options: DoorOptions = {}): RequestHandler {
  const isListed = knownOrigins(origins, 'allowedOrigins')

  return function allowedOrigins(req, res, next) {
    const stranger = foreignTo(req, res, (origin) => origin === ownOrigin(req) || isListed(origin))
    if (stranger === undefined) return next()
    turnAway(req, res, options, {
      layer: 'allowed-origins',
      code: 'ORIGIN_NOT_ALLOWED',
      message: `Pages from the origin ${stranger} may not use this server. Add it to allowedOrigins.`,
    })
  }
}
