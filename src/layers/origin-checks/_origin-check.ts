import { isIP } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import { ConfigError } from '../../catalogue/error-classes.ts'
import type { ErrorCode } from '../../catalogue/errors.ts'
import { originOf } from '../../http/request-url.ts'
import { refuse } from '../_guard.ts'

export interface DoorOptions {
  /** Loggers to call for refused requests, which never reach their place in the chain. */
  readonly logs?: readonly RequestHandler[]
}

export function turnAway(
  req: Request,
  res: Response,
  { logs = [] }: DoorOptions,
  { layer, code, message }: { readonly layer: string; readonly code: ErrorCode; readonly message: string },
): void {
  for (const log of logs) log(req, res, () => {})
  refuse(res, layer, code, message)
}

/** Client input, safe to quote in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

/**
 * Whether a Host header names this machine, an IP address or one of these names. With DNS rebinding, a page on the
 * internet reaches a server on this machine under the page's own name; never under these.
 */
export function knownHosts(names: readonly string[]): (authority: string) => boolean {
  const known = names.map((name) => name.toLowerCase())
  return (authority) => {
    const host = hostIn(authority)
    if (host === undefined) return false
    const isListed = (name: string) => (name.startsWith('.') ? isBelow(host, name.slice(1)) : host === name)
    return isIP(host) !== 0 || isBelow(host, 'localhost') || known.some(isListed)
  }
}

/** Without port, brackets and trailing dot, in lower case. */
function hostIn(authority: string): string | undefined {
  const [, address, name] =
    /^(?:\[([\da-f:.]+)\]|([\w-]+(?:\.[\w-]+)*)\.?)(?::\d{0,5})?$/i.exec(authority) ?? []
  return (address ?? name)?.toLowerCase()
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Allowed entries: an origin, with `*.` for any subdomain and `:*` for any port; or `null`. */
export const ORIGIN =
  /^(?:null|[a-z][a-z\d+.-]*:\/\/(?:(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?)$/i

/** As browsers write it: in lower case, without the scheme's default port. */
function normalOrigin(origin: string): string {
  const lower = origin.toLowerCase()
  return lower.replace(/^(http:\/\/.*):80$|^(https:\/\/.*):443$/, '$1$2')
}

/** Whether an origin is one of these. The message for one that cannot be names the `setting`. */
export function knownOrigins(origins: readonly unknown[], setting: string): (origin: string) => boolean {
  const patterns = origins.map((origin) => originPattern(origin, setting))
  return (origin) => patterns.some((pattern) => pattern.test(origin))
}

/** The origin of a page that is not allowed, to quote in a message; undefined if it is, or if no page asks. */
export function foreignTo(
  req: Request,
  res: Response,
  isAllowed: (origin: string) => boolean,
): string | undefined {
  const { origin } = req.headers
  if (origin === undefined || isAllowed(normalOrigin(origin))) return undefined
  res.vary('Origin')
  return quoted(origin)
}

/** As this server is reached by a request. */
export function ownOrigin(req: Request): string | undefined {
  const own = originOf(req)
  return own && normalOrigin(own)
}

function originPattern(origin: unknown, setting: string): RegExp {
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) {
    throw new ConfigError(
      `${setting}: ${JSON.stringify(origin)} is not an origin. Write scheme, host and port without a path, such as ` +
        '"http://localhost:5173"; "https://*.example.com" and "http://localhost:*" work too.',
    )
  }
  const escaped = normalOrigin(origin).replace(/[.[\]+]/g, '\\$&')
  const pattern = escaped
    .replace('://*\\.', String.raw`://(?:[a-z\d_-]+\.)+`)
    .replace(/:\*$/, String.raw`(?::\d{1,5})?`)
  return new RegExp(`^${pattern}$`)
}
