import compression from 'compression'
import { Notices } from '../../router/query/notices.ts'
import { ResponseCache } from '../../router/response/response-cache.ts'
import { type RestRouter, type RouterOptions, router } from '../../router/router.ts'
import { routerSettings } from '../../router/router-settings.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { metaOf } from '../commit-meta.ts'
import type { Config } from '../config/config.ts'
import type { Session } from './session.ts'

export interface RoutedOptions {
  readonly log: (line: string) => void
  readonly accessOf: RouterOptions['accessOf']
  readonly sealOf: RouterOptions['sealOf']
}

/** The routers of one API: over its data, and over the copy of each session. */
export class Routed {
  readonly router: RestRouter
  readonly answers = new ResponseCache()
  readonly #open: (engine: Engine, answers: ResponseCache) => RestRouter
  readonly #sessions = new WeakMap<Session, RestRouter>()

  constructor(engine: Engine, config: Config, { log, accessOf, sealOf }: RoutedOptions) {
    const settings = routerSettings(config)
    const shared = { ...settings, log, metaOf, accessOf, sealOf, notices: new Notices(log) }
    // The router compresses responses itself: once for many requests.
    const compress = config.noGzip ? undefined : compression()
    this.#open = (served, answers) => router(served, { ...shared, responses: answers, compress })
    this.router = this.#open(engine, this.answers)
  }

  routerOf(session: Session): RestRouter {
    const known = this.#sessions.get(session)
    if (known) return known
    const answers = this.answers.forEngine()
    const opened = this.#open(session.engine, answers)
    session.onEnd(() => answers.clear())
    this.#sessions.set(session, opened)
    return opened
  }
}
