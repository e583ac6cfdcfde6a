import type { Request, RequestHandler } from 'express'
import { originOf } from '../../http/origin.ts'
import { refuse } from '../_guard.ts'
import { knownHosts, normalOrigin, originPattern, quoted } from './_doors.ts'

/** The machine itself, under any of its names and ports. */
const LOOPBACK = /^https?:\/\/(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/**
 * Refuses pages of the web: any of them can send a `POST` to localhost. Pages on this machine, of this server and of
 * trusted origins pass, and so do programs, which send no origin. That an origin equals the Host header does not make it
 * this server's: with DNS rebinding, it does so for a page of the web.
 */
export function foreignOrigin(
  trustedOrigins: readonly string[] = [],
  hosts: readonly string[] = [],
): RequestHandler {
  const isKnown = knownHosts(hosts)
  const isOwn = (req: Request, origin: string) => {
    const own = originOf(req)
    return own !== undefined && origin === normalOrigin(own) && isKnown(req.headers.host ?? '')
  }
  const patterns = trustedOrigins.map((origin) => originPattern(origin, 'trustedOrigins'))

  return function foreignOrigin(req, res, next) {
    const sent = req.headers.origin
    if (sent === undefined) return next()
    const origin = normalOrigin(sent)
    if (isOwn(req, origin) || LOOPBACK.test(origin) || patterns.some((pattern) => pattern.test(origin)))
      return next()
    res.vary('Origin')
    const message = `Pages from the origin ${quoted(sent)} may not change this server. Add it to trustedOrigins.`
    refuse(res, 'foreign-origin', 'FOREIGN_ORIGIN', message)
  }
}
