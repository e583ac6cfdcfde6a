import type { RequestHandler } from 'express'
import { chain } from '../http/chain.ts'
import { sessionOf } from '../http/session-of.ts'
import type { Access } from '../storage/access/rights.ts'
import { limitEngine } from '../storage/engine/limit-engine.ts'
import { Lru } from '../util/lru.ts'
import { ENDPOINTS } from './endpoints.ts'
import { pageGuard } from './origin-checks.ts'
import type { Parts } from './parts.ts'
import { enteredSession } from './sessions/enter-session.ts'
import type { Session } from './sessions/session.ts'

/** The end of the chain: fixed endpoints and the API, over the data or over the copy that a session has of it. */
export function serveData(parts: Parts, hasSessions: boolean): RequestHandler {
  const { routed } = parts
  const base = chain([endpoints(parts), routed.router])
  if (!hasSessions) return base
  return serveSessions(base, (session) => {
    const { engine, feed } = session
    return chain([endpoints({ ...parts, engine, feed }, true), routed.routerOf(session)])
  })
}

/**
 * The fixed endpoints beside the data. A quick check of the URL saves all other requests the routing.
 * @param isSession whether the engine is a copy that only a session sees
 */
export function endpoints(parts: Parts, isSession = false): RequestHandler {
  const { config, engine, accessOf } = parts
  const has = (name: string) => engine.kindOf(name) !== undefined
  const guard = pageGuard(config)
  const isServed = ({ isOn, isHosted = false }: (typeof ENDPOINTS)[number]) =>
    (isOn?.(config) ?? true) && (isHosted || !config.hosted)
  const listed = ENDPOINTS.filter(isServed)
  const routesFor = (access: Access | undefined) => {
    const all = { ...parts, isSession, has, guard, seen: access ? limitEngine(engine, access) : engine }
    return chain(listed.flatMap(({ serve }) => serve?.(all) ?? []))
  }
  // Made when they are first used: most sessions never do. By what clients may read: they share what is known of it.
  const routes = new Lru<string, RequestHandler>({ limit: MOST_ROUTES })
  return function endpoints(req, res, next) {
    if (!FIXED.test(req.url)) return next()
    const access = accessOf?.(req)
    const key = access?.key ?? ''
    const known = routes.get(key) ?? routesFor(access)
    routes.set(key, known)
    known(req, res, next)
  }
}

/** Of clients that may read different things. */
const MOST_ROUTES = 100

const FIXED = /^\/(?:health-check|stats|__)/i

/** Serves each request from its session's data, or from the base if it has none. */
function serveSessions(
  base: RequestHandler,
  handlerFor: (session: Session) => RequestHandler,
): RequestHandler {
  const handlers = new WeakMap<Session, RequestHandler>()

  return function serveSessions(req, res, next) {
    const session = sessionOf(req) === undefined ? undefined : enteredSession(req)
    if (!session) return base(req, res, next)
    const handler = handlers.get(session) ?? handlerFor(session)
    handlers.set(session, handler)
    return handler(req, res, next)
  }
}
