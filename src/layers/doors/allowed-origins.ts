import type { RequestHandler } from 'express'
import { ConfigError } from '../../errors.ts'
import { originOf } from '../../http/origin.ts'
import { type DoorOptions, quoted, turnAway } from './_doors.ts'

/** What may be listed: an origin, with `*.` for all names below a domain and `:*` for any port; or `null`. */
export const ORIGIN =
  /^(?:null|[a-z][a-z\d+.-]*:\/\/(?:(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?)$/i

/**
 * Lets a request of a page through only when its origin is listed, or is this server. Programs that are no browsers
 * send no origin, and pass; so do the plain links and images of other pages, which cannot read what they get.
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
      message: `Pages of the origin ${quoted(sent)} may not use this server. Add it to allowedOrigins.`,
    })
  }
}

/** As browsers write it: in lower case, and without the port that the scheme implies. */
function normal(origin: string): string {
  const lower = origin.toLowerCase()
  return lower.replace(/^(http:\/\/.*):80$|^(https:\/\/.*):443$/, '$1$2')
}

function compile(origin: unknown): RegExp {
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) {
    throw new ConfigError(
      `allowedOrigins: ${JSON.stringify(origin)} is not an origin. Write scheme, host and port without a path, such as ` +
        '"http://localhost:5173"; "https://*.example.com" and "http://localhost:*" work, too.',
    )
  }
  const escaped = normal(origin).replace(/[.[\]+]/g, '\\$&')
  const pattern = escaped
    .replace('://*\\.', String.raw`://(?:[a-z\d_-]+\.)+`)
    .replace(/:\*$/, String.raw`(?::\d{1,5})?`)
  return new RegExp(`^${pattern}$`)
}
