import type { Request } from 'express'

/** Written plainly: what another parser could read as another path is not one of these. */
const CONTROLS = /^\/__(?:clock(?:\/advance)?|faults(?:\/\d{1,9})?)\/?(?:\?|$)/

/**
 * Whether a request turns the server's clock or its faults. Those are never limited, and a token that has expired only
 * by that clock is good for them: so nobody locks themselves out.
 */
export function isControl(req: Request): boolean {
  return req.originalUrl.startsWith('/__') && CONTROLS.test(req.originalUrl)
}
