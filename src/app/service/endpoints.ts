import type { Request, RequestHandler } from 'express'
import type { Endpoint, Endpoints } from '../../catalogue/endpoint.ts'
import { CLOCK_ENDPOINTS, clock } from '../../endpoints/clock.ts'
import { EVENT_ENDPOINTS, events } from '../../endpoints/events.ts'
import { FAULT_ENDPOINTS, faultRules } from '../../endpoints/faults.ts'
import { GROW_ENDPOINTS, growth } from '../../endpoints/grow.ts'
import { HEALTH_ENDPOINTS, healthCheck, STATS_ENDPOINTS, stats } from '../../endpoints/health-and-stats.ts'
import { HISTORY_ENDPOINTS, history } from '../../endpoints/history.ts'
import { SCHEMA_ENDPOINTS, SERVICE_ENDPOINTS, schema, service } from '../../endpoints/self-description.ts'
import { SESSION_ENDPOINTS, sessions } from '../../endpoints/sessions.ts'
import { SNAPSHOT_ENDPOINTS, snapshots } from '../../endpoints/snapshots.ts'
import { sessionOf } from '../../http/request-context.ts'
import { ACCOUNT_ENDPOINTS, JWT_ENDPOINTS } from '../../layers/accounts/endpoints.ts'
import { RULE_ENDPOINTS } from '../../layers/rewriter.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { openSnapshots } from '../../storage/engine/snapshots.ts'
import { isPostgres } from '../../storage/postgres/address.ts'
import { type Config, parseSettings } from '../config/config.ts'
import { describeService } from './describe-service.ts'
import { eventFilterFor, missedChanges } from './emit-changes.ts'
import type { Parts } from './service-parts.ts'
import { causeOf } from './session-routers.ts'

interface EndpointParts extends Parts {
  readonly readable: EngineAccess
  readonly isSession: boolean
  readonly has: (name: string) => boolean
  readonly guard: RequestHandler
}

interface Listed {
  readonly endpoints: Endpoints | readonly Endpoint[]
  /** Absent if a layer serves them. */
  readonly serve?: (parts: EndpointParts) => RequestHandler
  readonly isOn?: (config: Config) => boolean
  /** Whether the OpenAPI document has them. @default isOn */
  readonly isDescribed?: (config: Config) => boolean
  readonly isHosted?: boolean
}

/** THE list of endpoints. They are mounted, guarded and described from here. */
export const ENDPOINTS: readonly Listed[] = [
  {
    endpoints: SCHEMA_ENDPOINTS,
    serve: ({ config, readable: engine, rules, schemas, logic }) =>
      schema(async () => {
        const { SelfDescription } = await import('./self-description.ts')
        return new SelfDescription({ config, engine, rules, schemas, logic, endpoints: endpointsOf(config) })
      }),
  },
  {
    endpoints: HEALTH_ENDPOINTS,
    serve: ({ has, uptime, engine, clockOf }) =>
      healthCheck({ has, uptime, check: () => engine.check(), clockOf }),
  },
  {
    endpoints: STATS_ENDPOINTS,
    serve: ({ has, readable }) => stats(async () => (await readable.read({ kind: 'database' })).found, has),
  },
  { endpoints: JWT_ENDPOINTS, isOn: ({ middlewares }) => middlewares.includes('jwt') },
  { endpoints: ACCOUNT_ENDPOINTS, isOn: ({ middlewares }) => middlewares.includes('accounts') },
  {
    endpoints: SNAPSHOT_ENDPOINTS,
    isDescribed: ({ snapshots: directory }) => directory !== undefined,
    serve: ({ config: { snapshots: directory }, engine, now, images, isSession, guard }) =>
      snapshots({
        store: directory ? openSnapshots(engine, { directory, now, images }) : undefined,
        isSession,
        guard,
      }),
  },
  {
    endpoints: SESSION_ENDPOINTS,
    isOn: ({ sessions: limits }) => limits !== false,
    isDescribed: ({ sessions: limits, source }) => limits !== false && !isPostgres(source),
    serve: ({ sessions: all, guard }) =>
      sessions({
        list: () =>
          all.list().map((session) => ({
            name: session.name,
            createdAt: session.createdAt.toISOString(),
            idleMs: all.idleOf(session),
            bytes: session.bytes,
          })),
        end: (name) => all.end(name),
        reset: (name) => all.reset(name),
        guard,
      }),
  },
  { endpoints: CLOCK_ENDPOINTS, serve: ({ clockOf, guard, log }) => clock(clockOf, guard, log) },
  {
    endpoints: FAULT_ENDPOINTS,
    isOn: ({ noFaults }) => !noFaults,
    isHosted: true,
    serve: ({ faults, sessions: all, guard, log }) =>
      faultRules({
        rulesOf: faults.of,
        parse: (sent) => parseSettings({ faults: sent }).faults ?? {},
        onChange: (req) => all.weigh(sessionOf(req) ?? ''),
        guard,
        log,
      }),
  },
  {
    endpoints: SERVICE_ENDPOINTS,
    serve: (parts) => service((req) => describeService(parts, parts.accessOf?.(req).isAdmin ?? true)),
  },
  { endpoints: RULE_ENDPOINTS },
  {
    endpoints: EVENT_ENDPOINTS,
    serve: ({ feed, engine, accessOf, clockOf }) =>
      events(feed, {
        version: () => engine.history.version,
        missed: (version) => missedChanges(engine, version),
        filterOf: accessOf && ((req: Request) => eventFilterFor(req, accessOf(req), engine, clockOf(req))),
      }),
  },
  {
    endpoints: HISTORY_ENDPOINTS,
    serve: ({ engine, guard, log, accessOf }) =>
      history({ engine, guard, log, accessOf, metaOf: (req) => causeOf(req).meta }),
  },
  {
    endpoints: GROW_ENDPOINTS,
    serve: (parts) =>
      growth({
        ...parts,
        // Rarely needed: no part of the start.
        grow: async (...sent) => (await import('../grow-rows.ts')).growFor(parts, ...sent),
      }),
  },
]

export const ALL_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.flatMap(({ endpoints }) =>
  Object.values(endpoints),
)

export function endpointsOf(config: Config): readonly Endpoint[] {
  return ENDPOINTS.filter(({ isOn, isDescribed = isOn }) => isDescribed?.(config) ?? true).flatMap(
    ({ endpoints }) => Object.values(endpoints),
  )
}
