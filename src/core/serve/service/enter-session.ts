import type { Request, RequestHandler, Response } from 'express'
import { EVENT_ENDPOINTS } from '../../../endpoints/events.ts'
import { SESSION_ENDPOINTS } from '../../../endpoints/sessions.ts'
import { exposeTo, setRetryAfter } from '../../kernel/http/headers.ts'
import { SESSION_HEADER } from '../../kernel/http/request-context.ts'
import { sendError } from '../../kernel/http/send-json.ts'
import { pathPattern } from '../../kernel/http/server-paths.ts'
import { enterWorld, worldOf } from '../../kernel/http/world.ts'
import type { ServedWorld } from './served-world.ts'
import { isSessionName, type Sessions } from './sessions.ts'

/** Finds the world of a request: the session that its header, cookie or `/__events` query names, or else the base. */
export function findWorld({ base, sessions, hasSessions }: Worlds): RequestHandler {
  return function findWorld(req, res, next) {
    const name = hasSessions ? sessionIn(req) : undefined
    const isValid = name !== undefined && isSessionName(name)
    enterWorld(req, isValid ? sessions.named(name) : base)
    if (isValid) {
      res.setHeader(SESSION_HEADER, name)
      exposeTo(req, res, [SESSION_HEADER])
    } else if (name !== undefined) misnamed.add(req)
    next()
  }
}

export interface Worlds {
  readonly base: ServedWorld
  readonly sessions: Sessions
  readonly hasSessions: boolean
}

/** Requests that name a session which cannot be. */
const misnamed = new WeakSet<Request>()

function sessionIn({ headers, url }: Request): string | undefined {
  const { 'x-mock-session': header, cookie } = headers
  if (header !== undefined) return String(header)
  const isNamed = cookie !== undefined || url.startsWith('/__')
  return isNamed ? (inQuery(url) ?? COOKIE.exec(cookie ?? '')?.[1]) : undefined
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
    if (misnamed.has(req)) return sendError(res, 'INVALID_SESSION', INVALID)
    const { name } = worldOf(req)
    if (name === undefined || LIST.test(req.originalUrl)) return next()
    const enter = () => {
      const session = sessions.open(name)
      if (!session) return refuseMore(req, res)
      // Another one if the session that the guards saw has ended meanwhile.
      enterWorld(req, session)
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
