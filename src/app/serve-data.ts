import type { Request, RequestHandler } from 'express'
import type { Clock } from '../clock/clock.ts'
import { type Ear, events } from '../endpoints/events.ts'
import { healthCheck } from '../endpoints/health-check.ts'
import { history } from '../endpoints/history/history.ts'
import { schema } from '../endpoints/schema.ts'
import { service } from '../endpoints/service.ts'
import { sessions } from '../endpoints/sessions.ts'
import { snapshots } from '../endpoints/snapshots.ts'
import { stats } from '../endpoints/stats.ts'
import { chain, under } from '../http/chain.ts'
import { sessionOf } from '../http/session-of.ts'
import { viewerOf } from '../http/viewer-of.ts'
import { Lru } from '../lru.ts'
import type { Engine } from '../storage/engine/engine.ts'
import { seenBy } from '../storage/engine/viewed-engine.ts'
import { gather, prettyJson } from '../storage/json/pretty-json.ts'
import { openSnapshots } from '../storage/snapshots/snapshots.ts'
import type { View } from '../storage/view.ts'
import { describeService } from './describe/describe-service.ts'
import { SelfDescription } from './describe/self-description.ts'
import { pageGuard } from './doors.ts'
import { noteOf } from './history/note-of.ts'
import { changeSeenBy, missedChanges } from './history/tell-changes.ts'
import type { Parts } from './parts.ts'
import { enteredSession } from './sessions/enter-session.ts'
import type { Session } from './sessions/session.ts'

/** The end of the chain: fixed endpoints and the API, over the data or over the copy that a session has of it. */
export function serveData(parts: Parts, hasSessions: boolean): RequestHandler {
  const { routed } = parts
  if (!hasSessions) return chain([endpoints(parts), routed.router])
  const base = chain([sessionList(parts), endpoints(parts), routed.router])
  return serveSessions(base, (session) => {
    const { engine, feed } = session
    return chain([endpoints({ ...parts, engine, feed, isSession: true }), routed.routerOf(session)])
  })
}

function sessionList({ config, sessions: all }: Parts): RequestHandler {
  const routes = sessions({
    list: () =>
      all.list().map((session) => ({
        name: session.name,
        createdAt: session.createdAt.toISOString(),
        idleMs: all.idleOf(session),
        bytes: session.bytes,
      })),
    end: (name) => all.end(name),
    reset: (name) => all.reset(name),
    guard: pageGuard(config),
  })
  return under('/__sessions', routes)
}

interface Endpoints extends Parts {
  /** Whether the engine is a copy that only a session sees. */
  readonly isSession?: boolean
}

/** The fixed endpoints beside the data. A quick check of the URL saves all other requests the routing. */
function endpoints(all: Endpoints): RequestHandler {
  // Made when they are first used: most sessions never do. By what clients may read: they share what is known of it.
  const routes = new Lru<string, RequestHandler>({ limit: MOST_ROUTES })
  return function endpoints(req, res, next) {
    if (!FIXED.test(req.url)) return next()
    const view = all.viewOf?.(req)
    const key = view?.key ?? ''
    const known = routes.get(key) ?? endpointRoutes(all, view)
    routes.set(key, known)
    known(req, res, next)
  }
}

/** Of clients that may read different things. */
const MOST_ROUTES = 100

const FIXED = /^\/(?:health-check|stats|__)/i

/** Other people's requests are for admins. */
function earFor(req: Request, view: View, engine: Engine, clock: Clock): Ear {
  const viewer = viewerOf(req)
  const { expiresAt } = viewer ?? {}
  return {
    isOpen: async () => (await viewer?.isStill?.()) ?? true,
    onEnd: (end) => (expiresAt === undefined ? () => {} : clock.at(expiresAt, end)),
    hearsRequests: view.isAdmin,
    hear: (event) => changeSeenBy(engine, event, view),
  }
}

/** @param view of the clients whom they are for */
function endpointRoutes(
  { config, engine, feed, isSession = false, ...parts }: Endpoints,
  view: View | undefined,
): RequestHandler {
  const { viewOf } = parts
  const seen = view ? seenBy(engine, view) : engine
  const earOf = viewOf && ((req: Request) => earFor(req, viewOf(req), engine, parts.clockOf(req)))
  const has = (name: string) => engine.kindOf(name) !== undefined
  const { snapshots: directory } = config
  const guard = pageGuard(config)
  const describe = describeService({ config, ...parts, engine: seen, base: engine })
  return chain([
    healthCheck({ has, uptime: parts.uptime, check: () => engine.check(), clockOf: parts.clockOf }),
    stats({ state: async () => (await seen.read({ kind: 'database' })).found, has }),
    snapshots({
      kept: directory
        ? openSnapshots(engine, { directory, now: parts.now, images: parts.images })
        : undefined,
      isSession,
      guard,
    }),
    service((req) => describe(viewOf?.(req).isAdmin ?? true)),
    schema(new SelfDescription({ config, engine: seen, rules: parts.rules, schemas: parts.schemas })),
    history({ engine, noteOf, guard, write: (value) => gather(prettyJson(value)), log: parts.log, viewOf }),
    events(feed, {
      version: () => engine.history.version,
      missed: (version) => missedChanges(engine, version),
      earOf,
    }),
  ])
}

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
