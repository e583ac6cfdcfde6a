import type { Request } from 'express'

/** A host name, with or without port; anything else in a Host header is an injection attempt. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** `http://localhost:3000`, as the client reached us; undefined if the Host header is missing or malformed. */
export function originOf(req: Request): string | undefined {
  const host = req.get('host') ?? ''
  return PLAIN_HOST.test(host) ? `${schemeOf(req)}://${host}` : undefined
}

/** How the client reached us, or the trusted proxy in front of us, which may have passed on whatever it was sent. */
export function schemeOf(req: Request): 'http' | 'https' {
  // Who may tell what matters only if it was told.
  const isTold = req.headers['x-forwarded-proto'] !== undefined
  const isSecure = isTold ? req.secure : 'encrypted' in req.socket && req.socket.encrypted === true
  return isSecure ? 'https' : 'http'
}
