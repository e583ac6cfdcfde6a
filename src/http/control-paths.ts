import type { Request } from 'express'

/** Where tests turn the clock, and make requests fail on purpose. */
export const CONTROL_PATHS = {
  clock: '/__clock',
  advance: '/__clock/advance',
  faults: '/__faults',
  fault: '/__faults/{id}',
} as const

const WRITTEN = Object.values(CONTROL_PATHS).map((path) => path.replace('{id}', '\\d{1,9}'))
/** Written plainly: what another parser could read as another path is not one of these. */
const CONTROLS = new RegExp(`^(?:${WRITTEN.join('|')})/?(?:\\?|$)`)

/** Whether a request turns the clock or faults. Never limited, and open to tokens expired by that clock: no lockout. */
export function isControl(req: Request): boolean {
  return req.originalUrl.startsWith('/__') && CONTROLS.test(req.originalUrl)
}
