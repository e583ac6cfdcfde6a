import type { Request, RequestHandler, Response } from 'express'
import { exposeTo } from '../../http/exposed-headers.ts'
import { sendError } from '../../http/send-json.ts'
import { sessionOf } from '../../http/session-of.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

const entered = new WeakMap<Request, Session>()

export function enteredSession(req: Request): Session | undefined {
  return entered.get(req)
}

/** Opens the session that a request names. Behind the guards: nobody else takes up room. */
export function enterSession(sessions: Sessions): RequestHandler {
  return function enterSession(req, res, next) {
    const name = sessionOf(req)
    // The list of sessions is not part of any.
    if (name === undefined || LIST.test(req.originalUrl)) return next()
    if (name === '') return sendError(res, 'INVALID_SESSION', INVALID)
    const enter = () => {
      // First, since that is a use: it must not end itself to make room for what it writes.
      const session = sessions.open(name)
      if (!session || (needsRoom(req) && !sessions.hasRoom())) return refuseMore(req, res)
      entered.set(req, session)
      // An open stream is a use as long as it lasts.
      if (!res.closed) res.once('close', sessions.hold(session))
      next()
    }
    const news = sessions.peek(name) ? undefined : sessions.catchUp()
    if (news) news.then(enter).catch(next)
    else enter()
  }
}

const LIST = /^\/__sessions(?:[/?]|$)/i

/** Whether a request may add to what its session takes. A full one can still be read, and emptied. */
function needsRoom({ method, headers, originalUrl }: Request): boolean {
  if (GOING_BACK.test(originalUrl)) return false
  const override = headers['x-http-method-override']
  if (override === undefined) return !FREEING.has(method)
  return method !== 'POST' || !FREEING.has(String(override).trim().toUpperCase())
}

const FREEING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
const GOING_BACK = /^\/__(?:reset|undo)\/?(?:\?|$)/i

const INVALID = 'The name of a session has 1 to 64 letters, digits, dots, hyphens and underscores.'

function refuseMore(req: Request, res: Response): void {
  res.setHeader('Retry-After', '60')
  exposeTo(req, res, ['Retry-After'])
  sendError(res, 'TOO_MANY_SESSIONS', TOO_MANY)
}

const TOO_MANY =
  'The sessions take all the room there is, and each was used within the last minute. End some with DELETE /__sessions/<name>, or raise sessions.max or sessions.bytes.'
