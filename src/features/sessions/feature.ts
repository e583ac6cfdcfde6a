import type { Request, RequestHandler, Response } from 'express'
import { endpoints, INTEGER, listOf, objectOf, TEXT, TIME } from '../../core/kernel/catalogue/endpoint.ts'
import { chain } from '../../core/kernel/http/chain.ts'
import { sendError, sendJson } from '../../core/kernel/http/send-json.ts'
import type { Feature } from '../feature.ts'
import { type HandlersOf, serveEndpoints } from '../serve-endpoints.ts'
import type { ServedWorld } from '../served-world.ts'
import type { Worlds, WorldsHost } from '../worlds.ts'
import { enterSession, findWorld } from './find-world.ts'
import { Sessions } from './sessions.ts'
import { SESSION_LIMITS } from './settings.ts'

const SESSION = objectOf({ name: TEXT, createdAt: TIME, idleMs: INTEGER })

const SESSION_ENDPOINTS = endpoints(
  { kind: 'sessions', isFor: 'admins' },
  {
    listSessions: ['GET /__sessions', 'All sessions, most recently used first', { gives: listOf(SESSION) }],
    endSession: ['DELETE /__sessions/{name}', 'End a session', { errors: ['SESSION_NOT_FOUND'] }],
    resetSession: ['POST /__sessions/{name}/reset', 'Put its data back', { errors: ['SESSION_NOT_FOUND'] }],
  },
)

/** Copies of the data, one for each client that names one. */
export const sessionsFeature: Feature = {
  name: 'sessions',
  endpoints: SESSION_ENDPOINTS,
  isOn: ({ sessions: limits }) => limits !== false,
  hasWorlds: true,
  // Their limits are set where they are used.
  headers: ({ sessions: limits }) => (limits ? [['X-Mock-Session', 'a session']] : []),
  open() {
    let sessions: SessionWorlds | undefined
    return {
      worlds: (host) => (sessions = new SessionWorlds(host)),
      under: () => ({
        serve: (served) =>
          sessions ? serveEndpoints(SESSION_ENDPOINTS, handlers(sessions), served) : chain([]),
      }),
    }
  },
}

class SessionWorlds extends Sessions implements Worlds {
  readonly enter = enterSession(this)

  readonly beginningOf: WorldsHost['beginningOf']

  constructor(host: WorldsHost) {
    super({ ...host, limits: () => ({ ...SESSION_LIMITS, ...host.config().sessions }) })
    this.beginningOf = host.beginningOf
  }

  find(base: ServedWorld): RequestHandler {
    return findWorld(base, this, this.beginningOf)
  }
}

function handlers(sessions: Sessions): HandlersOf<typeof SESSION_ENDPOINTS> {
  const named =
    (act: (name: string) => boolean | Promise<boolean>) => async (req: Request, res: Response) => {
      if (await act(String(req.params.name))) sendJson(res, 200, {})
      else sendError(res, 'SESSION_NOT_FOUND', 'There is no session of that name: GET /__sessions lists them')
    }
  return {
    listSessions: (_req, res) => sendJson(res, 200, sessions.describe()),
    endSession: named((name) => sessions.end(name)),
    resetSession: named((name) => sessions.reset(name)),
  }
}
