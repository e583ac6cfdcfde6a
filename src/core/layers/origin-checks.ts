import { isIP } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import { ConfigError } from '../kernel/catalogue/error-classes.ts'
import { hostInTarget, originOf } from '../kernel/http/request-url.ts'
import { refuseRequest } from './parts/guard.ts'

export const HOST_NAME = /^\.?[a-z\d_-]+(?:\.[a-z\d_-]+)*$/i

/** Lets a request through only if it was sent to a listed name, to localhost or to an IP address. */
export function allowedHosts(names: readonly string[], logs: Logs = []): RequestHandler {
  const isKnown = hostMatcher(names.map(checkName))

  return function allowedHosts(req, res, next) {
    // A request line may carry an absolute URL, which counts as much as the header.
    const unknown = [req.headers.host ?? '', hostInTarget(req)].find(
      (host) => host !== undefined && !isKnown(host),
    )
    if (unknown === undefined) return next()
    logRefused(logs, req, res)
    const message = `This server does not answer to the host ${quoted(unknown)}. Add it to allowedHosts, or use localhost.`
    refuseRequest(res, 'allowed-hosts', 'HOST_NOT_ALLOWED', message)
  }
}

function checkName(name: unknown): string {
  if (typeof name === 'string' && (HOST_NAME.test(name) || isIP(name) !== 0)) return name
  throw new ConfigError(
    `allowedHosts: ${JSON.stringify(name)} is not a host name. Write it without a scheme or port, such as "app.test", ` +
      'or ".example.com" for that domain and its subdomains.',
  )
}

/** Lets pages through only from listed origins and this server. Requests without an origin pass: programs, links, images. */
export function allowedOrigins(origins: readonly string[], logs: Logs = []): RequestHandler {
  const isListed = originMatcher(origins, 'allowedOrigins')

  return function allowedOrigins(req, res, next) {
    const foreign = refusedOrigin(req, res, (origin) => origin === ownOrigin(req) || isListed(origin))
    if (foreign === undefined) return next()
    logRefused(logs, req, res)
    const message = `Pages from the origin ${foreign} may not use this server. Add it to allowedOrigins.`
    refuseRequest(res, 'allowed-origins', 'ORIGIN_NOT_ALLOWED', message)
  }
}

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
  const isKnown = hostMatcher(hosts)
  const isTrusted = originMatcher(trustedOrigins, 'trustedOrigins')

  return function foreignOrigin(req, res, next) {
    const isOwn = (origin: string) => origin === ownOrigin(req) && isKnown(req.headers.host ?? '')
    const isAllowed = (origin: string) => isOwn(origin) || LOOPBACK.test(origin) || isTrusted(origin)
    const foreign = refusedOrigin(req, res, isAllowed)
    if (foreign === undefined) return next()
    const message = `Pages from the origin ${foreign} may not change this server. Add it to trustedOrigins.`
    refuseRequest(res, 'foreign-origin', 'FOREIGN_ORIGIN', message)
  }
}

/** Names that a server may be reached by, besides localhost and IP addresses. */
export function hostsOf({
  allowedHosts: hosts = [],
  host,
}: {
  readonly allowedHosts?: readonly string[] | undefined
  readonly host: string
}): readonly string[] {
  return [...hosts, host]
}

/**
 * Tells requests of foreign pages, reads too: those carry no `Origin`, so what the browser says of the page counts, and a
 * host that is none of ours, as after DNS rebinding. Gives a sentence that names the remedy.
 */
export function foreignPages(
  trustedOrigins: readonly string[] = [],
  hosts: readonly string[] = [],
): (req: Request, mayBeRebound: boolean) => string | undefined {
  const isKnown = hostMatcher(hosts)
  const isTrusted = originMatcher(trustedOrigins, 'trustedOrigins')
  return (req, mayBeRebound) => {
    const { origin, host = '', 'sec-fetch-site': site } = req.headers
    const page = origin === undefined ? undefined : normalOrigin(origin)
    if (mayBeRebound && !isKnown(host))
      return `This server may not ask the API for the host ${quoted(host)}. Add it to allowedHosts, or use localhost.`
    if (page !== undefined && (LOOPBACK.test(page) || isTrusted(page))) return undefined
    if (page !== undefined && page !== ownOrigin(req))
      return `Pages from the origin ${quoted(page)} may not use the API behind this server. Add it to trustedOrigins.`
    if (site !== 'cross-site') return undefined
    return 'Pages of other sites may not use the API behind this server. Add their origin to trustedOrigins.'
  }
}

/** Whether an origin is of this server, or of this machine. */
export function isOwnOrigin(req: Request, origin: string): boolean {
  const page = normalOrigin(origin)
  return LOOPBACK.test(page) || page === ownOrigin(req)
}

/** Logs to call for refused requests, which never reach their position in the chain. */
type Logs = readonly RequestHandler[]

function logRefused(logs: Logs, req: Request, res: Response): void {
  for (const log of logs) log(req, res, () => {})
}

/** Client input, safe to quote in a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

/**
 * Whether a Host header names this machine, an IP address or one of these names. With DNS rebinding, a page on the
 * internet reaches a server on this machine under the page's own name; never under these.
 */
function hostMatcher(names: readonly string[]): (authority: string) => boolean {
  const listed = names.map((name) => name.toLowerCase())
  return (authority) => {
    const host = hostIn(authority)
    if (host === undefined) return false
    const isListed = (name: string) => (name.startsWith('.') ? isBelow(host, name.slice(1)) : host === name)
    return isIP(host) !== 0 || isBelow(host, 'localhost') || listed.some(isListed)
  }
}

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

function originMatcher(origins: readonly unknown[], setting: string): (origin: string) => boolean {
  const patterns = origins.map((origin) => originPattern(origin, setting))
  return (origin) => patterns.some((pattern) => pattern.test(origin))
}

/** The origin of a page that is not allowed, to quote in a message; undefined if allowed, or without an origin. */
function refusedOrigin(
  req: Request,
  res: Response,
  isAllowed: (origin: string) => boolean,
): string | undefined {
  const { origin } = req.headers
  if (origin === undefined || isAllowed(normalOrigin(origin))) return undefined
  res.vary('Origin')
  return quoted(origin)
}

function ownOrigin(req: Request): string | undefined {
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
