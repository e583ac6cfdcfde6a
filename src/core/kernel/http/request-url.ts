import type { Request } from 'express'

const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is

const hosts = new WeakMap<object, string>()

/** A request line may name the whole URL (RFC 9112, 3.2.2). Leaves path and query, so that all code reads it alike. */
export function dropOrigin(req: { url?: string | undefined }): void {
  const [, host, path = ''] = ABSOLUTE.exec(req.url ?? '') ?? []
  if (host === undefined) return
  hosts.set(req, host)
  req.url = path.startsWith('/') ? path : `/${path}`
}

/** The host and port in the request line, if it names the whole URL. */
export function hostInTarget(req: { readonly originalUrl: string }): string | undefined {
  return hosts.get(req) ?? ABSOLUTE.exec(req.originalUrl)?.[1]
}

/** A host name, with or without port; anything else in a Host header is an injection attempt. */
export const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** `http://localhost:3000`, as the client reached us; undefined if the Host header is missing or malformed. */
export function originOf(req: Request): string | undefined {
  const host = req.get('host') ?? ''
  return PLAIN_HOST.test(host) ? `${schemeOf(req)}://${host}` : undefined
}

/** How the client reached us, or the trusted proxy in front of us. */
export function schemeOf(req: Request): 'http' | 'https' {
  // `req.secure` checks whether the proxy is trusted, which takes longer.
  const isForwarded = req.headers['x-forwarded-proto'] !== undefined
  const isSecure = isForwarded ? req.secure : 'encrypted' in req.socket && req.socket.encrypted === true
  return isSecure ? 'https' : 'http'
}

/** The contents of a routes file: patterns on the left, targets on the right, tried from first to last. */
export type RewriteRules = Readonly<Record<string, string>>

export type RewriteUrl = (url: string) => string
