import type { Request } from 'express'

/** Who asks, as far as rules of access are concerned. */
export interface Caller {
  /** The id of the user's row, as it is stored. */
  readonly id: unknown
  readonly role: string
  /** Whether that is still so: an answer may go on when the login has ended. Always, without it. */
  readonly isStill?: () => boolean | Promise<boolean>
  /** When the login expires by the clock of the request, in milliseconds since 1970. Never, without it. */
  readonly expiresAt?: number | undefined
}

// In a map rather than on the request: V8 is fast as long as all requests have the same shape.
const viewers = new WeakMap<Request, Caller>()

/** Records who asks. Requests without a viewer are nobody's. */
export function setCaller(req: Request, viewer: Caller): void {
  viewers.set(req, viewer)
}

/** Who asks; undefined for nobody, and where there are no accounts. */
export function callerOf(req: Request): Caller | undefined {
  return viewers.get(req)
}
