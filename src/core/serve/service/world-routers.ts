import compression from 'compression'
import type { Request, RequestHandler } from 'express'
import type { ServedWorld } from '../../../features/served-world.ts'
import type { Client } from '../../../wings/logic/runner.ts'
import { ResponseShapes } from '../../../wings/shapes/response-shape.ts'
import type { Cause } from '../../engine/change.ts'
import type { CommitMeta } from '../../engine/data/store.ts'
import type { Engine } from '../../engine/engine.ts'
import { worldOf } from '../../kernel/http/world.ts'
import { safeUrl } from '../../layers/logger.ts'
import { routerSettings } from '../../router/context.ts'
import { ResponseCache } from '../../router/response/response-cache.ts'
import { type RestRouter, router } from '../../router/router.ts'
import { Session } from '../sessions/sessions.ts'
import { sealOf } from './seal-passwords.ts'
import type { ServiceGeneration } from './service-parts.ts'

/** The routers of one generation: that of the data, and those of sessions. */
export class Routers {
  readonly router: RestRouter
  readonly responses = new ResponseCache()
  readonly shapes: ResponseShapes | undefined
  /** The router compresses responses itself: once for many requests. */
  readonly compress: RequestHandler | undefined
  readonly #open: (engine: Engine, responses: ResponseCache) => RestRouter

  constructor({ engine, config, isFake, accessOf, notices, log }: ServiceGeneration) {
    const shapes = ResponseShapes.open(config)
    const compress = config.noGzip ? undefined : compression()
    const settings = {
      ...routerSettings(config),
      shapes,
      compress,
      sealOf: sealOf(config),
      _isFake: isFake,
    }
    this.#open = (served, responses) =>
      router(served, { ...settings, responses, accessOf, causeOf, notices, log })
    this.shapes = shapes
    this.compress = compress
    this.router = this.#open(engine, this.responses)
  }

  routerFor(world: ServedWorld): RestRouter {
    if (!(world instanceof Session)) return this.router
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
