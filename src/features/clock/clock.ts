import type { Request, Response } from 'express'
import { endpoints, INTEGER, objectOf, TIME } from '../../core/kernel/catalogue/endpoint.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { SERVER_PATHS } from '../../core/kernel/http/server-paths.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { type Clock, ClockError, readDuration, readTime } from '../../core/kernel/util/clock.ts'
import { endpointFeature } from '../endpoint-feature.ts'
import type { HandlersOf } from '../serve-endpoints.ts'

const FACE = objectOf({ now: TIME, frozen: { type: 'boolean' }, real: TIME, offset: INTEGER })

const CLOCK_ENDPOINTS = endpoints(
  { kind: 'control', isFor: 'admins of the base', gives: FACE },
  {
    getClock: [`GET ${SERVER_PATHS.clock}`, 'What time it is for the server'],
    setClock: [
      `PUT ${SERVER_PATHS.clock}`,
      'Set the clock',
      {
        body: {
          type: 'object',
          properties: { now: { type: ['string', 'integer'] }, frozen: { type: 'boolean' } },
        },
        example: { now: '2027-01-01T00:00:00Z', frozen: true },
      },
    ],
    resetClock: [`DELETE ${SERVER_PATHS.clock}`, 'Show the real time again'],
    advanceClock: [
      `POST ${SERVER_PATHS.advance}`,
      'Turn the clock on',
      {
        body: objectOf({
          by: { type: ['string', 'integer'], description: '`1h`, `15m`, `500ms`, or milliseconds' },
        }),
        example: { by: '1h' },
      },
    ],
  },
)

export const clockFeature = endpointFeature({
  name: 'clock',
  endpoints: CLOCK_ENDPOINTS,
  handlers: ({ world }) => clock(world.clock),
})

function clock(own: Clock): HandlersOf<typeof CLOCK_ENDPOINTS> {
  const changing = (change: (clock: Clock, sent: unknown) => void) => async (req: Request, res: Response) => {
    change(own, req.body)
    // A test that turns the clock finds done what was due.
    await own.idle()
    sendJson(res, 200, own.face)
  }
  return {
    getClock: changing(() => {}),
    setClock: changing(setClock),
    resetClock: changing((own) => own.reset()),
    advanceClock: changing(advanceClock),
  }
}

const SETTING = '{"now": "2027-01-01T00:00:00Z", "frozen": true}'
const STEP = '{"by": "1h"}'

function setClock(own: Clock, sent: unknown): void {
  const { now, frozen } = fieldsOf(sent, ['now', 'frozen'], SETTING)
  if (now === undefined && frozen === undefined) throw new ClockError(`Send at least one of both: ${SETTING}`)
  if (frozen !== undefined && typeof frozen !== 'boolean') {
    throw new ClockError('"frozen" must be true or false.')
  }
  own.set({ ...(now !== undefined && { now: readTime(now) }), ...(frozen !== undefined && { frozen }) })
}

function advanceClock(own: Clock, sent: unknown): void {
  const { by } = fieldsOf(sent, ['by'], STEP)
  if (by === undefined) throw new ClockError(`Send how far: ${STEP}`)
  own.advance(readDuration(by))
}

function fieldsOf(sent: unknown, names: readonly string[], example: string): Record<string, unknown> {
  if (!isObject(sent)) throw new ClockError(`The body must be an object, such as ${example}`)
  const unknown = Object.keys(sent).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new ClockError(`There is no field ${JSON.stringify(unknown.slice(0, 60))} here. Send ${example}`)
  }
  return sent
}
