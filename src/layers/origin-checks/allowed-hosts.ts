import { isIP } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { hostInTarget } from '../../http/request-url.ts'
import { type DoorOptions, knownHosts, quoted, turnAway } from './_origin-check.ts'

/** Allowed entries: `app.test`, or `.example.com` for that domain and its subdomains. */
export const HOST_NAME = /^\.?[a-z\d_-]+(?:\.[a-z\d_-]+)*$/i

/** Lets a request through only if it was sent to a listed name, to localhost or to an IP address. */
export function allowedHosts(names: readonly string[], options: DoorOptions = {}): RequestHandler {
  const isKnown = knownHosts(names.map(checkName))

  return function allowedHosts(req, res, next) {
    const stranger = authoritiesOf(req).find((authority) => !isKnown(authority))
    if (stranger === undefined) return next()
    turnAway(req, res, options, {
      layer: 'allowed-hosts',
      code: 'HOST_NOT_ALLOWED',
      message: `This server does not answer to the host ${quoted(stranger)}. Add it to allowedHosts, or use localhost.`,
    })
  }
}

/** Where the client thinks it is: a request line may carry an absolute URL, which counts as much as the header. */
function authoritiesOf(req: Request): readonly string[] {
  const inTarget = hostInTarget(req)
  const inHeader = req.headers.host ?? ''
  return inTarget === undefined ? [inHeader] : [inHeader, inTarget]
}

function checkName(name: unknown): string {
  if (typeof name === 'string' && (HOST_NAME.test(name) || isIP(name) !== 0)) return name
  throw new ConfigError(
    `allowedHosts: ${JSON.stringify(name)} is not a host name. Write it without a scheme or port, such as "app.test", ` +
      'or ".example.com" for that domain and its subdomains.',
  )
}
