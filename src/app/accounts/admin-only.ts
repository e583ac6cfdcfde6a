import { type Request, type RequestHandler, Router } from 'express'
import type { Endpoint } from '../../catalogue/endpoint.ts'
import { under } from '../../http/chain.ts'
import { sendError } from '../../http/send-json.ts'
import { sessionOf } from '../../http/session-of.ts'
import type { Access } from '../../storage/access/rights.ts'

/** Lets only admins reach the endpoints that are for them, and all that is below. The paths match as theirs do. */
export function adminOnly(
  accessOf: (req: Request) => Access,
  endpoints: readonly Endpoint[],
): RequestHandler {
  const roots = (isTheirs: (isFor: Endpoint['isFor']) => boolean) => [
    ...new Set(endpoints.filter(({ isFor }) => isTheirs(isFor)).map(({ path }) => `/${path.split('/')[1]}`)),
  ]
  const guarded = Router()
  // They change only the copy of the data that the request names, and show no row of it.
  const openInSessions = roots((isFor) => isFor === 'admins, except in a session')
  guarded.use(openInSessions, (req, _res, next) => next(sessionOf(req) ? 'router' : undefined))
  guarded.use(
    roots((isFor) => isFor !== undefined),
    (req, res, next) => {
      const access = accessOf(req)
      if (access.isAdmin || req.method === 'OPTIONS') return next()
      const path = `${req.baseUrl}${req.path}`.replace(/\/$/, '')
      res.locals.refusedBy = 'accounts'
      const message = `${path} is for role:admin.`
      if (access.user !== undefined) sendError(res, 'AUTH_FORBIDDEN', message)
      else sendError(res, 'AUTH_REQUIRED', `${message} Log in, and send the access token.`)
    },
  )

  return under('/__', guarded)
}
