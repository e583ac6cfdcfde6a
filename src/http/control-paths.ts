import type { Request } from 'express'

/** Written plainly: what another parser could read as another path is not one of these. */
const CONTROLS = /^\/__(?:clock(?:\/advance)?|faults(?:\/\d{1,9})?)\/?(?:\?|$)/

/** Whether a request turns the clock or faults. Never limited, and open to tokens expired by that clock: no lockout. */
export function isControl(req: Request): boolean {
  return req.originalUrl.startsWith('/__') && CONTROLS.test(req.originalUrl)
}
