import type { Request } from 'express'

export const SESSION_HEADER = 'X-Mock-Session'

// In a map rather than on the request: V8 is fast as long as all requests have the same shape.
const names = new WeakMap<Request, string>()
let hasNames = false

/** Records which session a request belongs to; the empty string if it names one that cannot be. */
export function setSession(req: Request, name: string): void {
  hasNames = true
  names.set(req, name)
}

/** The name of the session that a request belongs to. Costs one comparison as long as nobody uses sessions. */
export function sessionOf(req: Request): string | undefined {
  return hasNames ? names.get(req) : undefined
}
