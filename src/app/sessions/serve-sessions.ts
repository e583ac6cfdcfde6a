import type { RequestHandler } from 'express'
import { enteredSession } from './enter-session.ts'
import type { Session } from './session.ts'

/** Serves each request from its session's data, or from the base if it has none. */
export function serveSessions(
  base: RequestHandler,
  handlerFor: (session: Session) => RequestHandler,
): RequestHandler {
  const handlers = new WeakMap<Session, RequestHandler>()

  return function serveSessions(req, res, next) {
    const session = enteredSession(req)
    if (!session) return base(req, res, next)
    const handler = handlers.get(session) ?? handlerFor(session)
    handlers.set(session, handler)
    return handler(req, res, next)
  }
}
