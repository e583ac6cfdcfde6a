import type { Request, RequestHandler, Response } from 'express'
import { only } from '../../core/kernel/http/chain.ts'
import { exposeTo, setRetryAfter } from '../../core/kernel/http/headers.ts'
import { SESSION_HEADER } from '../../core/kernel/http/request-context.ts'
import { sendError } from '../../core/kernel/http/send-json.ts'
import { pathPattern, SERVER_PATHS } from '../../core/kernel/http/server-paths.ts'
import { enterWorld, isWorldName, worldOf } from '../../core/kernel/http/world.ts'
import { type Beginning, isRefused, type RefusedBeginning } from '../beginnings.ts'
import type { ServedWorld } from '../served-world.ts'
import type { WorldsHost } from '../worlds.ts'
import type { Sessions } from './sessions.ts'

/**
 * Finds the world of a request: the session that its header, cookie or `/__events` query names, or that of how it wants to
 * begin, or else the base.
 */
export function findWorld(
  base: ServedWorld,
  sessions: Sessions,
  beginningOf: WorldsHost['beginningOf'],
): RequestHandler {
  return function findWorld(req, res, next) {
    const { 'x-mock-session': header, cookie } = req.headers
    // Nearly all requests name none.
    const mayName = header !== undefined || cookie !== undefined || req.url.startsWith('/__')
    const wish = beginningOf(req)
    const beginning = wish && !isRefused(wish) ? wish : undefined
    const name = (mayName ? sessionIn(req) : undefined) ?? beginning?.world
    const isValid = name !== undefined && isWorldName(name)
    if (name !== undefined || wish) sessions.isOn = true
    enterWorld(req, isValid ? sessions.named(name, beginning) : base)
    if (isValid) {
      res.setHeader(SESSION_HEADER, name)
      exposeTo(req, res, [SESSION_HEADER])
    } else if (name !== undefined) refused.set(req, { code: 'INVALID_SESSION', message: INVALID })
    if (wish && isRefused(wish)) refused.set(req, wish)
    else if (wish) wishes.set(req, wish)
    next()
  }
}

/** Requests that name a session which cannot be, or how one cannot begin. */
const refused = new WeakMap<Request, RefusedBeginning>()
/** How the session of a request begins, if the request says so. */
const wishes = new WeakMap<Request, Beginning>()

function sessionIn({ headers, url }: Request): string | undefined {
  const { 'x-mock-session': header, cookie } = headers
  if (header !== undefined) return String(header)
  return inQuery(url) ?? COOKIE.exec(cookie ?? '')?.[1]
}

/** An invalid name does not match: a cookie may be left over from another server. */
const COOKIE = /(?:^|;)\s*mock_session="?([\w.-]{1,64})"?\s*(?:;|$)/

function inQuery(url: string): string | undefined {
  const query = EVENTS.test(url) ? url.replace(/^[^?]*/, '') : ''
  return new URLSearchParams(query).get('session') ?? undefined
}

const EVENTS = pathPattern([SERVER_PATHS.events], 'i')
/** Requests about sessions open none. */
const LIST = pathPattern(['/__sessions', '/__sessions/{name}', '/__sessions/{name}/reset'], 'i')

/** Opens the session that a request names. Behind the guards: refused requests take up no room. */
export function enterSession(sessions: Sessions): RequestHandler {
  return only({ while: sessions }, function enterSession(req, res, next) {
    const refusal = refused.get(req)
    if (refusal) return sendError(res, refusal.code, refusal.message)
    const { name } = worldOf(req)
    if (name === undefined || LIST.test(req.originalUrl)) return next()
    const enter = () => {
      const wish = wishes.get(req)
      const session = sessions.open(name, wish)
      if (!session) return refuseMore(req, res)
      const { beginning } = session
      if (wish && wish.name !== beginning?.name) {
        const how = beginning ? `as ${beginning.name}` : 'as the base is'
        const message = `Session ${name} began ${how}, not as ${wish.name}. End it first, or name another session.`
        return sendError(res, 'OTHER_SCENARIO', message)
      }
      // Another one if the session that the guards saw has ended meanwhile.
      enterWorld(req, session)
      // An open stream is a use as long as it lasts.
      if (!res.closed) res.once('close', sessions.hold(session))
      next()
    }
    const ready = sessions.ready(name)
    if (ready) ready.then(enter).catch(next)
    else enter()
  })
}

const INVALID = 'The name of a session has 1 to 64 letters, digits, dots, hyphens and underscores.'

function refuseMore(req: Request, res: Response): void {
  setRetryAfter(req, res, 60)
  sendError(res, 'TOO_MANY_SESSIONS', TOO_MANY)
}

const TOO_MANY =
  'There are as many sessions as there may be, and each was used within the last minute. End some with DELETE /__sessions/<name>, or raise sessions.max.'
