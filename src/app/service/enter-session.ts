import type { Request, RequestHandler, Response } from 'express'
import { EVENT_ENDPOINTS } from '../../endpoints/events.ts'
import { SESSION_ENDPOINTS } from '../../endpoints/sessions.ts'
import { exposeTo, setRetryAfter } from '../../http/headers.ts'
import { SESSION_HEADER, sessionNames } from '../../http/request-context.ts'
import { sendError } from '../../http/send-json.ts'
import { pathPattern } from '../../http/server-paths.ts'
import { isSessionName, type Sessions } from './sessions.ts'

/** Records the session that a request names: by header, `/__events` query or cookie. It is opened behind the guards. */
export const readSession: RequestHandler = (req, res, next) => {
  const { 'x-mock-session': header, cookie } = req.headers
  if (header === undefined && cookie === undefined && !req.url.startsWith('/__')) return next()
  const name = header === undefined ? (inQuery(req.url) ?? COOKIE.exec(cookie ?? '')?.[1]) : String(header)
  if (name === undefined) return next()
  const isValid = isSessionName(name)
  sessionNames.set(req, isValid ? name : '')
  if (isValid) {
    res.setHeader(SESSION_HEADER, name)
    exposeTo(req, res, [SESSION_HEADER])
  }
  next()
}

/** An invalid name does not match: a cookie may be left over from another server. */
const COOKIE = /(?:^|;)\s*mock_session="?([\w.-]{1,64})"?\s*(?:;|$)/

function inQuery(url: string): string | undefined {
  const query = EVENTS.test(url) ? url.replace(/^[^?]*/, '') : ''
  return new URLSearchParams(query).get('session') ?? undefined
}

const EVENTS = pathPattern([EVENT_ENDPOINTS.getEvents.path], 'i')
const LIST = pathPattern(
  Object.values(SESSION_ENDPOINTS).map(({ path }) => path),
  'i',
)

/** Opens the session that a request names. Behind the guards: refused requests take up no room. */
export function enterSession(sessions: Sessions): RequestHandler {
  return function enterSession(req, res, next) {
    const name = sessionNames.get(req)
    if (name === undefined || LIST.test(req.originalUrl)) return next()
    if (name === '') return sendError(res, 'INVALID_SESSION', INVALID)
    const enter = () => {
      const session = sessions.open(name)
      if (!session) return refuseMore(req, res)
      sessions.entered.set(req, session)
      // An open stream is a use as long as it lasts.
      if (!res.closed) res.once('close', sessions.hold(session))
      next()
    }
    const ready = sessions.ready(name)
    if (ready) ready.then(enter).catch(next)
    else enter()
  }
}

const INVALID = 'The name of a session has 1 to 64 letters, digits, dots, hyphens and underscores.'

function refuseMore(req: Request, res: Response): void {
  setRetryAfter(req, res, 60)
  sendError(res, 'TOO_MANY_SESSIONS', TOO_MANY)
}

const TOO_MANY =
  'There are as many sessions as there may be, and each was used within the last minute. End some with DELETE /__sessions/<name>, or raise sessions.max.'
