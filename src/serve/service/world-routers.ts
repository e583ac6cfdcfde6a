import type { Request, RequestHandler } from 'express'
import type { Cause } from '../../core/engine/change.ts'
import type { CommitMeta } from '../../core/engine/data/store.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { safeUrl } from '../../core/layers/logger.ts'
import { routerSettings } from '../../core/router/context.ts'
import { ResponseCache } from '../../core/router/response/response-cache.ts'
import { type EngineRouter, routerOf } from '../../core/router/router.ts'
import type { Shapes } from '../../core/router/shape.ts'
import type { ServedWorld } from '../../features/served-world.ts'
import type { Client } from '../../wings/logic/runner.ts'
import { openShapes } from '../../wings/shapes/open-shapes.ts'
import { compressing } from '../compressing.ts'
import { activeIn, type ServiceGeneration } from './service-parts.ts'

/** The routers of one generation: that of the base, and those of other worlds. */
export class Routers {
  readonly router: EngineRouter
  readonly responses = new ResponseCache()
  readonly shapes: Shapes | undefined
  /** The router compresses responses itself: once for many requests. */
  readonly compress: RequestHandler | undefined
  readonly #open: (engine: Engine, responses: ResponseCache) => EngineRouter

  constructor(parts: ServiceGeneration) {
    const { engine, config, isFake, accessOf, sealOf, notices, log } = parts
    const shapes = openShapes(config)
    const compress = config.noGzip ? undefined : compressing()
    const settings = {
      ...routerSettings(config),
      shapes,
      attachments: activeIn(parts).find(({ attachments }) => attachments)?.attachments,
      compress,
      sealOf,
      _isFake: isFake,
    }
    this.#open = (served, responses) =>
      routerOf(served, { ...settings, responses, accessOf, causeOf, notices, log })
    this.shapes = shapes
    this.compress = compress
    this.router = this.#open(engine, this.responses)
  }

  routerFor(world: ServedWorld): EngineRouter {
    if (world.name === undefined) return this.router
    const responses = this.responses.forEngine()
    // A world may outlive this generation, which is then garbage.
    const held = new WeakRef(responses)
    world.onEnd(() => held.deref()?.clear())
    return this.#open(world.engine, responses)
  }
}

/** Who causes a request's changes: for the history, and for hooks. */
export function causeOf(req: Request): Cause & { readonly meta: CommitMeta; readonly by: Client } {
  const { name: session } = worldOf(req)
  return {
    meta: { method: req.method, url: safeUrl(req), ...(session && { session }) },
    // The user is set by a login layer.
    by: { depth: 0, user: Reflect.get(req, 'user') },
  }
}
