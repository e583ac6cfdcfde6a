import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Clock } from '../clock/clock.ts'
import { ClockError, readDuration, readTime } from '../clock/read-time.ts'
import type { ClockOf } from '../http/clock-of.ts'
import { sendError, sendJson } from '../http/send-json.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import { ownUrl } from './_own-url.ts'

export interface ClockOptions {
  readonly clockOf: ClockOf
  readonly guard: RequestHandler
  readonly log?: (line: string) => void
}

/** `GET`, `PUT` and `DELETE /__clock`, and `POST /__clock/advance`: what time it is for the server. */
export function clock({ clockOf, guard, log }: ClockOptions): Router {
  const router = Router()
  const body = createBodyParser({ ...(log && { log }), isLast: true })
  const turn = (act: (clock: Clock, sent: unknown) => void) => (req: Request, res: Response) => {
    act(clockOf(req), req.body)
    sendJson(res, 200, clockOf(req).face)
  }

  router.get('/__clock', ownUrl, (req, res) => sendJson(res, 200, clockOf(req).face))
  router.put('/__clock', ownUrl, guard, body, turn(set))
  router.post('/__clock/advance', ownUrl, guard, body, turn(advance))
  router.delete(
    '/__clock',
    ownUrl,
    guard,
    turn((turned) => turned.reset()),
  )
  return router.use(refuseFault)
}

const SETTING = '{"now": "2027-01-01T00:00:00Z", "frozen": true}'
const STEP = '{"by": "1h"}'

function set(turned: Clock, sent: unknown): void {
  const { now, frozen } = fieldsOf(sent, ['now', 'frozen'], SETTING)
  if (now === undefined && frozen === undefined) throw new ClockError(`Send at least one of both: ${SETTING}`)
  if (frozen !== undefined && typeof frozen !== 'boolean') {
    throw new ClockError('"frozen" must be true or false.')
  }
  turned.set({ ...(now !== undefined && { now: readTime(now) }), ...(frozen !== undefined && { frozen }) })
}

function advance(turned: Clock, sent: unknown): void {
  const { by } = fieldsOf(sent, ['by'], STEP)
  if (by === undefined) throw new ClockError(`Send how far: ${STEP}`)
  turned.advance(readDuration(by))
}

function fieldsOf(sent: unknown, names: readonly string[], example: string): Record<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new ClockError(`The body must be an object, such as ${example}`)
  }
  const stranger = Object.keys(sent).find((name) => !names.includes(name))
  if (stranger !== undefined) {
    throw new ClockError(`There is no field ${JSON.stringify(stranger.slice(0, 60))} here. Send ${example}`)
  }
  return { ...sent }
}

const refuseFault: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof ClockError)) return next(error)
  sendError(res, 'INVALID_BODY', error.message)
}
