import type { RequestHandler } from 'express'
import { ConfigError } from '../../errors.ts'
import { originOf } from '../../http/origin.ts'
import { type DoorOptions, quoted, turnAway } from './_doors.ts'

/** Allowed entries: an origin, with `*.` for any subdomain and `:*` for any port; or `null`. */
export const ORIGIN =
  /^(?:null|[a-z][a-z\d+.-]*:\/\/(?:(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?)$/i

/**
 * Lets a page's request through only if its origin is listed, or is this server. Programs that are not browsers
 * send no origin, and pass; so do plain links and images on other pages, which cannot read the response.
 */
export function allowedOrigins(origins: readonly string[], options: DoorOptions = {}): RequestHandler {
  const patterns = origins.map(compile)

  return function allowedOrigins(req, res, next) {
    const sent = req.headers.origin
    if (sent === undefined) return next()
    const origin = normal(sent)
    const own = originOf(req)
    if (origin === (own && normal(own)) || patterns.some((pattern) => pattern.test(origin))) return next()
    res.vary('Origin')
    turnAway(req, res, options, {
      layer: 'allowed-origins',
      code: 'ORIGIN_NOT_ALLOWED',
      message: `Pages from the origin ${quoted(sent)} may not use this server. Add it to allowedOrigins.`,
    })
  }
}

/** As browsers write it: in lower case, without the scheme's default port. */
function normal(origin: string): string {
  const lower = origin.toLowerCase()
  return lower.replace(/^(http:\/\/.*):80$|^(https:\/\/.*):443$/, '$1$2')
}

function compile(origin: unknown): RegExp {
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) {
    throw new ConfigError(
      `allowedOrigins: ${JSON.stringify(origin)} is not an origin. Write scheme, host and port without a path, such as ` +
        '"http://localhost:5173"; "https://*.example.com" and "http://localhost:*" work too.',
    )
  }
  const escaped = normal(origin).replace(/[.[\]+]/g, '\\$&')
  const pattern = escaped
    .replace('://*\\.', String.raw`://(?:[a-z\d_-]+\.)+`)
    .replace(/:\*$/, String.raw`(?::\d{1,5})?`)
  return new RegExp(`^${pattern}$`)
}
