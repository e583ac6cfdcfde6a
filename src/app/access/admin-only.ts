import { type Request, type RequestHandler, Router } from 'express'
import { under } from '../../http/chain.ts'
import { sendError } from '../../http/send-json.ts'
import { sessionOf } from '../../http/session-of.ts'
import type { View } from '../../storage/view.ts'

/** What tells of, or changes, more than rows: other people's requests, all data together, the server itself. */
const PATHS = [
  '/__history',
  '/__changes',
  '/__undo',
  '/__redo',
  '/__reset',
  '/__snapshots__',
  '/__faults',
  '/__clock',
  '/__sessions',
]

/** In a session that the request names, these change only its copy of the data, and show no row of it. */
const OPEN_IN_SESSIONS = ['/__reset', '/__faults', '/__clock']

/** Lets only admins reach the endpoints that concern everybody. The paths match as those of the endpoints do. */
export function adminOnly(viewOf: (req: Request) => View): RequestHandler {
  const guarded = Router()
  guarded.use(OPEN_IN_SESSIONS, (req, _res, next) => next(sessionOf(req) ? 'router' : undefined))
  guarded.use(PATHS, (req, res, next) => {
    const view = viewOf(req)
    if (view.isAdmin || req.method === 'OPTIONS') return next()
    const path = `${req.baseUrl}${req.path}`.replace(/\/$/, '')
    res.locals.refusedBy = 'accounts'
    const message = `${path} is for role:admin.`
    if (view.user !== undefined) sendError(res, 'AUTH_FORBIDDEN', message)
    else sendError(res, 'AUTH_REQUIRED', `${message} Log in, and send the access token.`)
  })

  return under('/__', guarded)
}
