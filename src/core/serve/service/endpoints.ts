import type { Request, RequestHandler } from 'express'
import { CLOCK_ENDPOINTS, clock } from '../../../endpoints/clock.ts'
import { EVENT_ENDPOINTS, events } from '../../../endpoints/events.ts'
import { FAULT_ENDPOINTS, faultRules } from '../../../endpoints/faults.ts'
import { GROW_ENDPOINTS, growth } from '../../../endpoints/grow.ts'
import { HEALTH_ENDPOINTS, healthCheck, STATS_ENDPOINTS, stats } from '../../../endpoints/health-and-stats.ts'
import { HISTORY_ENDPOINTS, history } from '../../../endpoints/history.ts'
import { SCHEMA_ENDPOINTS, SERVICE_ENDPOINTS, schema, service } from '../../../endpoints/self-description.ts'
import { type HandlersOf, serveEndpoints } from '../../../endpoints/serve-endpoints.ts'
import { SESSION_ENDPOINTS, sessions } from '../../../endpoints/sessions.ts'
import { SNAPSHOT_ENDPOINTS, snapshots } from '../../../endpoints/snapshots.ts'
import { openSnapshots } from '../../../stores/file/snapshots.ts'
import { type Config, parseSettings } from '../../config/config.ts'
import type { EngineAccess } from '../../engine/engine.ts'
import type { Endpoint, Endpoints } from '../../kernel/catalogue/endpoint.ts'
import { ACCOUNT_ENDPOINTS, JWT_ENDPOINTS } from '../../layers/accounts/endpoints.ts'
import { RULE_ENDPOINTS } from '../../layers/rewriter.ts'
import { describeService } from './describe-service.ts'
import { eventFilterFor, missedChanges } from './emit-changes.ts'
import type { ServedWorld } from './served-world.ts'
import type { Parts } from './service-parts.ts'
import { causeOf } from './session-routers.ts'

interface EndpointParts extends Parts {
  readonly readable: EngineAccess
  /** The world that they are served in. */
  readonly world: ServedWorld
  readonly has: (name: string) => boolean
  readonly guard: RequestHandler
}

interface Switches {
  readonly isOn?: (config: Config) => boolean
  /** Whether the OpenAPI document has them. @default isOn */
  readonly isDescribed?: (config: Config) => boolean
  readonly isHosted?: boolean
}

interface Listed extends Switches {
  readonly endpoints: Endpoints | readonly Endpoint[]
  /** Absent if a layer serves them. */
  readonly serve?: (parts: EndpointParts) => RequestHandler
}

/** THE list of endpoints. They are mounted, guarded and described from here. */
export const ENDPOINTS: readonly Listed[] = [
  served(SCHEMA_ENDPOINTS, ({ config, readable: engine, rules, schemas, logic }) =>
    schema(async () => {
      const { SelfDescription } = await import('./self-description.ts')
      return new SelfDescription({ config, engine, rules, schemas, logic, endpoints: endpointsOf(config) })
    }),
  ),
  served(HEALTH_ENDPOINTS, ({ uptime, world: { engine, clock } }) =>
    healthCheck({ uptime, check: () => engine.check(), clock }),
  ),
  served(STATS_ENDPOINTS, ({ readable }) =>
    stats(async () => (await readable.read({ kind: 'database' })).found),
  ),
  { endpoints: JWT_ENDPOINTS, isOn: ({ middlewares }) => middlewares.includes('jwt') },
  { endpoints: ACCOUNT_ENDPOINTS, isOn: ({ middlewares }) => middlewares.includes('accounts') },
  {
    endpoints: SNAPSHOT_ENDPOINTS,
    isDescribed: ({ snapshots: directory }) => directory !== undefined,
    serve: ({ config: { snapshots: directory }, engine, now, images, world, guard }) =>
      snapshots({
        store: directory ? openSnapshots(engine, { directory, now, images }) : undefined,
        isSession: world !== world.base,
        guard,
      }),
  },
  served(
    SESSION_ENDPOINTS,
    ({ sessions: all }) =>
      sessions({
        list: () =>
          all.list().map((session) => ({
            name: session.name,
            createdAt: session.createdAt.toISOString(),
            idleMs: all.idleOf(session),
          })),
        end: (name) => all.end(name),
        reset: (name) => all.reset(name),
      }),
    { isOn: ({ sessions: limits }) => limits !== false },
  ),
  served(CLOCK_ENDPOINTS, ({ world }) => clock(world.clock)),
  served(
    FAULT_ENDPOINTS,
    ({ faultRules: state, world }) =>
      faultRules({
        rules: world.of(state),
        parse: (sent) => parseSettings({ faults: sent }).faults ?? {},
      }),
    { isOn: ({ noFaults }) => !noFaults, isHosted: true },
  ),
  served(SERVICE_ENDPOINTS, (parts) =>
    service((req) => describeService(parts, parts.accessOf?.(req).isAdmin ?? true)),
  ),
  { endpoints: RULE_ENDPOINTS },
  served(EVENT_ENDPOINTS, ({ world: { engine, feed, clock }, accessOf }) =>
    events(feed, {
      version: () => engine.history.version,
      missed: (version) => missedChanges(engine, version),
      filterOf: accessOf && ((req: Request) => eventFilterFor(req, accessOf(req), engine, clock)),
    }),
  ),
  served(HISTORY_ENDPOINTS, ({ engine, accessOf }) =>
    history({ engine, accessOf, metaOf: (req) => causeOf(req).meta }),
  ),
  // Rarely needed: no part of the start.
  served(GROW_ENDPOINTS, (parts) =>
    growth(async (...sent) => (await import('../grow-rows.ts')).growFor(parts, ...sent)),
  ),
]

/** Endpoints that have a handler each. */
function served<Id extends string>(
  endpoints: Endpoints<Id>,
  handlersOf: (parts: EndpointParts) => HandlersOf<Endpoints<Id>>,
  switches: Switches = {},
): Listed {
  return { endpoints, serve: (parts) => serveEndpoints(endpoints, handlersOf(parts), parts), ...switches }
}

export const ALL_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.flatMap(({ endpoints }) =>
  Object.values(endpoints),
)

export function endpointsOf(config: Config): readonly Endpoint[] {
  return ENDPOINTS.filter(({ isOn, isDescribed = isOn }) => isDescribed?.(config) ?? true).flatMap(
    ({ endpoints }) => Object.values(endpoints),
  )
}
