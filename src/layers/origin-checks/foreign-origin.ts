import type { RequestHandler } from 'express'
import { refuse } from '../_guard.ts'
import { foreignTo, knownHosts, knownOrigins, ownOrigin } from './_origin-check.ts'

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
  const isTrusted = knownOrigins(trustedOrigins, 'trustedOrigins')

  return function foreignOrigin(req, res, next) {
    const isOwn = (origin: string) => origin === ownOrigin(req) && isKnown(req.headers.host ?? '')
    const isAllowed = (origin: string) => isOwn(origin) || LOOPBACK.test(origin) || isTrusted(origin)
    const stranger = foreignTo(req, res, isAllowed)
    if (stranger === undefined) return next()
    const message = `Pages from the origin ${stranger} may not change this server. Add it to trustedOrigins.`
    refuse(res, 'foreign-origin', 'FOREIGN_ORIGIN', message)
  }
}
