import type { RequestHandler } from 'express'
import type { Engine } from '../../core/engine/engine.ts'
import { engineFor } from '../../core/engine/engine-for.ts'
import type { Access } from '../../core/engine/rules/rights.ts'
import { chain } from '../../core/kernel/http/chain.ts'
import { mounts } from '../../core/kernel/http/request-context.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Lru } from '../../core/kernel/util/lru.ts'
import { isServed } from '../../core/router/serve.ts'
import { endpointsIn } from '../../features/feature.ts'
import { ServedWorld } from '../../features/served-world.ts'
import { serveLogic } from '../../wings/logic/serve-logic.ts'
import { pageGuard } from './client-access.ts'
import { activeIn, type ServiceGeneration } from './service-parts.ts'
import { causeOf, type Routers } from './world-routers.ts'

/** The end of the chain: fixed endpoints and the API, over the data of the request's world. */
export function serveData(parts: ServiceGeneration, routers: Routers): RequestHandler {
  const handlers = logicHandlers(parts, routers)
  const fixed = fixedPaths(parts)
  const targets = new WeakMap<ServedWorld, Target>()
  const openTarget = (world: ServedWorld): Target => {
    const target = targetOf(parts, endpoints(parts, world), routers.routerFor(world), world.engine, handlers)
    targets.set(world, target)
    return target
  }

  return function serveData(req, res, next) {
    const found = worldOf(req)
    const isOther = found.name !== undefined && found instanceof ServedWorld && found.isOpen
    const world = isOther ? found : parts.base
    const target = targets.get(world) ?? openTarget(world)
    if (fixed.test(req.url)) return target.all(req, res, next)
    return mounts.has(req) ? target.mounted(req, res, next) : target.router(req, res, next)
  }
}

/** The handlers of the logic file, for each engine; undefined if there are none. */
function logicHandlers({ logic, serviceLogic, accessOf, log }: ServiceGeneration, { compress }: Routers) {
  if (!logic || logic.routes.length === 0) return undefined
  return serveLogic(logic, {
    runnerOf: (engine) => serviceLogic.runnerOf(engine),
    clientOf(req) {
      const { meta, by } = causeOf(req)
      return { ...by, meta, access: accessOf?.(req) }
    },
    compress,
    log,
  })
}

interface Target {
  readonly all: RequestHandler
  readonly router: RequestHandler
  /** Passes on what other apps may serve. */
  readonly mounted: RequestHandler
}

function targetOf(
  parts: ServiceGeneration,
  endpoints: RequestHandler,
  rows: RequestHandler,
  engine: Engine,
  handlers: ReturnType<typeof logicHandlers>,
): Target {
  const before = activeIn(parts).flatMap(({ beforeRows = [] }) => beforeRows)
  const router = before.length === 0 ? rows : chain([...before, rows])
  const passOn: RequestHandler = (req, res, next) => {
    if (mounts.get(req)?.passesOn && !isServed(engine, req.path)) next()
    else return rows(req, res, next)
  }
  const mounted = before.length === 0 ? passOn : chain([...before, passOn])
  const all = chain([endpoints, mounted])
  if (!handlers) return { all, router, mounted }
  const logic = handlers(engine)
  return { all: chain([logic, all]), router: chain([logic, router]), mounted: chain([logic, mounted]) }
}

/** A quick check of the URL saves all other requests the routing. */
function fixedPaths({ features }: ServiceGeneration): RegExp {
  const bare = endpointsIn(features).flatMap(({ givesWay, path }) => (givesWay ? path : []))
  return new RegExp(`^(?:${['/__', ...bare].join('|')})`, 'i')
}

/** The fixed endpoints of a world. */
function endpoints(parts: ServiceGeneration, world: ServedWorld): RequestHandler {
  const { config, accessOf, mounted, isFake } = parts
  const { engine } = world
  const has = (name: string) => engine.kindOf(name) !== undefined
  const guard = pageGuard(config)
  const listed = mounted.filter(({ isOn, feature }) => isOn && (feature.isHosted || !isFake))
  const routesFor = (access: Access | undefined) => {
    const readable = access ? engineFor(engine, access) : engine
    const all = { ...parts, world, engine, has, guard, readable }
    return chain(listed.flatMap(({ active }) => active.serve?.(all) ?? []))
  }
  // Made on first use, for each set of rights: clients with the same share what is cached for them.
  const routes = new Lru<string, RequestHandler>({ limit: MOST_ROUTES })
  return function endpoints(req, res, next) {
    const access = accessOf?.(req)
    getOrMake(routes, access?.key ?? '', () => routesFor(access))(req, res, next)
  }
}

const MOST_ROUTES = 100
