import type { RequestHandler } from 'express'
import { originOf } from '../../http/origin.ts'
import { type DoorOptions, normalOrigin, originPattern, quoted, turnAway } from './_doors.ts'

/** Lets pages through only from listed origins and this server. Programs send no origin, and pass; so do links and images. */
export function allowedOrigins(origins: readonly string[], options: DoorOptions = {}): RequestHandler {
  const patterns = origins.map((origin) => originPattern(origin, 'allowedOrigins'))

  return function allowedOrigins(req, res, next) {
    const sent = req.headers.origin
    if (sent === undefined) return next()
    const origin = normalOrigin(sent)
    const own = originOf(req)
    if (origin === (own && normalOrigin(own)) || patterns.some((pattern) => pattern.test(origin)))
      return next()
    res.vary('Origin')
    turnAway(req, res, options, {
      layer: 'allowed-origins',
      code: 'ORIGIN_NOT_ALLOWED',
      message: `Pages from the origin ${quoted(sent)} may not use this server. Add it to allowedOrigins.`,
    })
  }
}
