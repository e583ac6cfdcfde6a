import compression from 'compression'
import { AnswerCache } from '../../router/answer/answer-cache.ts'
import { Notices } from '../../router/explain/notices.ts'
import { type RestRouter, type RouterOptions, router } from '../../router/router.ts'
import { routerSettings } from '../../router/router-settings.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Config } from '../config/config.ts'
import { noteOf } from '../history/note-of.ts'
import type { Session } from './session.ts'

export interface RoutedOptions {
  readonly log: (line: string) => void
  readonly viewOf: RouterOptions['viewOf']
  readonly sealOf: RouterOptions['sealOf']
}

/** The routers of one API: over its data, and over the copy of each session. */
export class Routed {
  readonly router: RestRouter
  readonly answers = new AnswerCache()
  readonly #open: (engine: Engine, answers: AnswerCache) => RestRouter
  readonly #sessions = new WeakMap<Session, RestRouter>()

  constructor(engine: Engine, config: Config, { log, viewOf, sealOf }: RoutedOptions) {
    const settings = routerSettings(config)
    const shared = { ...settings, log, noteOf, viewOf, sealOf, notices: new Notices(log) }
    // The router compresses responses itself: once for many requests.
    const compress = config.noGzip ? undefined : compression()
    this.#open = (served, answers) => router(served, { ...shared, answers, compress })
    this.router = this.#open(engine, this.answers)
  }

  routerOf(session: Session): RestRouter {
    const known = this.#sessions.get(session)
    if (known) return known
    const answers = this.answers.forAnother()
    const opened = this.#open(session.engine, answers)
    session.onEnd(() => answers.clear())
    this.#sessions.set(session, opened)
    return opened
  }
}
