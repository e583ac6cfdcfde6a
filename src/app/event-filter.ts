import type { Request } from 'express'
import type { Ear } from '../endpoints/events.ts'
import { callerOf } from '../http/caller.ts'
import type { Access } from '../storage/access/rights.ts'
import type { Engine } from '../storage/engine/engine.ts'
import type { Clock } from '../util/clock.ts'
import { readableChange } from './emit-changes.ts'

/** What the client of a request may hear. Other people's requests are for admins. */
export function eventFilterFor(req: Request, access: Access, engine: Engine, clock: Clock): Ear {
  const viewer = callerOf(req)
  const { expiresAt } = viewer ?? {}
  return {
    isOpen: async () => (await viewer?.isStill?.()) ?? true,
    onEnd: (end) => (expiresAt === undefined ? () => {} : clock.at(expiresAt, end)),
    hearsRequests: access.isAdmin,
    hear: (event) => readableChange(engine, event, access),
  }
}
