import compression from 'compression'
import type { Request, RequestHandler } from 'express'
import { sessionNames } from '../../http/request-context.ts'
import { safeUrl } from '../../layers/logger.ts'
import type { Client } from '../../logic/runner.ts'
import { routerSettings } from '../../router/context.ts'
import { Notices } from '../../router/query/handle-ignored.ts'
import { ResponseCache } from '../../router/response/response-cache.ts'
import { type RestRouter, type RouterOptions, router } from '../../router/router.ts'
import { ResponseShapes } from '../../shape/response-shape.ts'
import type { Cause } from '../../storage/change.ts'
import type { CommitMeta } from '../../storage/data/store.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { getOrMake } from '../../util/get-or-make.ts'
import type { Config } from '../config/config.ts'
import { sealOf } from './seal-passwords.ts'
import type { Session } from './sessions.ts'

export class Routers {
  readonly router: RestRouter
  readonly responses = new ResponseCache()
  readonly shapes: ResponseShapes | undefined
  /** The router compresses responses itself: once for many requests. */
  readonly compress: RequestHandler | undefined
  readonly #open: (engine: Engine, responses: ResponseCache) => RestRouter
  readonly #sessions = new WeakMap<Session, RestRouter>()

  constructor(
    engine: Engine,
    config: Config,
    accessOf: RouterOptions['accessOf'],
    log: (line: string) => void,
  ) {
    const settings = routerSettings(config)
    this.shapes = ResponseShapes.open(config)
    const shared = {
      ...settings,
      shapes: this.shapes,
      log,
      causeOf,
      accessOf,
      sealOf: sealOf(config),
      notices: new Notices(log),
    }
    this.compress = config.noGzip ? undefined : compression()
    const { compress } = this
    this.#open = (served, responses) => router(served, { ...shared, responses, compress })
    this.router = this.#open(engine, this.responses)
  }

  routerOf(session: Session): RestRouter {
    return getOrMake(this.#sessions, session, () => {
      const responses = this.responses.forEngine()
      session.onEnd(() => responses.clear())
      return this.#open(session.engine, responses)
    })
  }
}

/** Who causes a request's changes: for the history, and for hooks. */
export function causeOf(req: Request): Cause & { readonly meta: CommitMeta; readonly by: Client } {
  const session = sessionNames.get(req)
  return {
    meta: { method: req.method, url: safeUrl(req), ...(session && { session }) },
    // The user is set by a login layer.
    by: { depth: 0, user: Reflect.get(req, 'user') },
  }
}
