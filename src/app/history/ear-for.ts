import type { Request } from 'express'
import type { Clock } from '../../clock/clock.ts'
import type { Ear } from '../../endpoints/events.ts'
import { viewerOf } from '../../http/viewer-of.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { View } from '../../storage/view.ts'
import { changeSeenBy } from './tell-changes.ts'

/** What the client of a request may hear. Other people's requests are for admins. */
export function earFor(req: Request, view: View, engine: Engine, clock: Clock): Ear {
  const viewer = viewerOf(req)
  const { expiresAt } = viewer ?? {}
  return {
    isOpen: async () => (await viewer?.isStill?.()) ?? true,
    onEnd: (end) => (expiresAt === undefined ? () => {} : clock.at(expiresAt, end)),
    hearsRequests: view.isAdmin,
    hear: (event) => changeSeenBy(engine, event, view),
  }
}
