import type { Request, RequestHandler } from 'express'
import { clock } from '../endpoints/clock.ts'
import { faultRules } from '../endpoints/faults.ts'
import { chain, under } from '../http/chain.ts'
import type { ClockOf } from '../http/clock-of.ts'
import { sessionOf } from '../http/session-of.ts'
import type { FaultRules } from '../layers/faults/fault-rules.ts'
import { type Config, parseSettings } from './config/config.ts'
import { pageGuard } from './doors.ts'
import type { Sessions } from './sessions/sessions.ts'

export interface Controlled {
  readonly config: Config
  readonly clockOf: ClockOf
  readonly faultsOf: (req: Request) => FaultRules
  readonly sessions: Pick<Sessions, 'weigh'>
  readonly log: (line: string) => void
}

/** What tests turn while the server runs: the clock, and failures. */
export function controls({ config, clockOf, faultsOf, sessions, log }: Controlled): RequestHandler {
  const guard = pageGuard(config)
  const parse = (faults: unknown) => parseSettings({ faults }).faults ?? {}
  const onChange = (req: Request) => sessions.weigh(sessionOf(req) ?? '')
  return under(
    '/__',
    chain([
      ...(config.hosted ? [] : [clock({ clockOf, guard, log })]),
      ...(config.noFaults ? [] : [faultRules({ rulesOf: faultsOf, parse, guard, onChange, log })]),
    ]),
  )
}
