import { resolve } from 'node:path'
import type { RequestHandler } from 'express'
import { events } from '../endpoints/events.ts'
import { healthCheck } from '../endpoints/health-check.ts'
import { hosted } from '../endpoints/hosted.ts'
import { service } from '../endpoints/service.ts'
import { snapshots } from '../endpoints/snapshots.ts'
import { stats } from '../endpoints/stats.ts'
import type { Feed } from '../feed.ts'
import { apiKey } from '../layers/api-key.ts'
import { bearer } from '../layers/bearer.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import { cors } from '../layers/cors.ts'
import { delay } from '../layers/delay.ts'
import { jwt } from '../layers/jwt.ts'
import { logger } from '../layers/logger.ts'
import { pause } from '../layers/pause.ts'
import { rateLimit } from '../layers/rate-limit.ts'
import { recorder } from '../layers/recorder.ts'
import { type RewriteRules, rewriter } from '../layers/rewriter.ts'
import type { RestRouter } from '../router/router.ts'
import type { Store } from '../storage/store.ts'
import type { Data, Row } from '../storage/types.ts'
import type { BuiltInLayer, Config, LayerOptions } from './config.ts'
import { defaults } from './defaults.ts'
import { describeService } from './describe-service.ts'
import { toCamelCase } from './spelling.ts'

/** Gives the layer that was built under this key before; else makes it. */
export type Keep = (key: string, make: () => RequestHandler) => RequestHandler

/** What the chain is made of, all of it loaded. */
export interface Parts {
  readonly config: Config
  readonly store: Store
  readonly router: RestRouter
  readonly rules: RewriteRules
  /** The handlers of each middleware file of the user's own, by its entry in `middlewares`. */
  readonly files: ReadonlyMap<string, readonly RequestHandler[]>
  /** Rows of the collection that people log in from. */
  readonly findUsers: () => readonly Row[] | undefined
  /** Seconds that the server has been up, whatever was reloaded since. */
  readonly uptime: () => number
  /** Takes a layer over from the chain before this one, if it was built from the same. */
  readonly keep: Keep
  /** Tells the page at `/` what happens. */
  readonly feed: Feed
  readonly log: (line: string) => void
}

/** The chain that every request walks, top to bottom. What is off is not in it. */
export function mount(parts: Parts): readonly RequestHandler[] {
  const { config } = parts
  return [
    ...defaults({
      recorder: recorder(parts.feed),
      noGzip: config.noGzip,
      noCors: config.noCors || config.middlewares.includes('cors'),
      logger: !config.quiet && !config.middlewares.includes('logger'),
      readOnly: config.readOnly,
      print: parts.log,
      ...(config.static && { static: resolve(config.static) }),
    }),
    ...listed(parts),
    ...(config.delay > 0 ? [pause(config.delay)] : []),
    ...(config.hosted ? [hosted(config.hosted)] : endpoints(parts)),
  ]
}

/**
 * What `middlewares` names, in its order. The rewriter stands right before the first file of the user's own,
 * or last: so guards judge the URL that the client sent, and those files see the rewritten one, with a body.
 */
function listed(parts: Parts): readonly RequestHandler[] {
  const { config, rules, files, log } = parts
  const handlers = config.middlewares.map((entry, place) => files.get(entry) ?? [layer(entry, place, parts)])
  const firstFile = config.middlewares.findIndex((entry) => files.has(entry))
  const place = firstFile < 0 ? handlers.length : firstFile
  handlers.splice(place, 0, [rewriter(rules), ...(config.bodyParser ? [createBodyParser({ log })] : [])])
  return handlers.flat()
}

/** Kept as long as its options stay: counters go on counting, and a random secret goes on being valid. */
function layer(name: string, place: number, parts: Parts): RequestHandler {
  const { layers, quiet, middlewares } = parts.config
  const { log, findUsers } = parts
  const built: Record<BuiltInLayer, () => RequestHandler> = {
    cors: () => cors(layers.cors),
    delay: () => delay(layers.delay),
    logger: () => (quiet ? passOn : logger({ ...layers.logger, print: log })),
    'api-key': () => apiKey({ ...layers.apiKey, log }),
    bearer: () => bearer(layers.bearer),
    jwt: () => jwt({ ...layers.jwt, log, findUsers }),
    'rate-limit': () => rateLimit(layers.rateLimit),
  }
  const sameBefore = middlewares.slice(0, place).filter((other) => other === name).length
  const options = layers[toCamelCase(name) as keyof LayerOptions]
  return parts.keep(JSON.stringify([name, sameBefore, quiet, options]), built[name as BuiltInLayer])
}

/** The fixed endpoints, and then the data. */
function endpoints(parts: Parts): readonly RequestHandler[] {
  const { config, store, router, feed } = parts
  const has = (name: string) => store.kindOf(name) !== undefined
  const state = () => store.data
  const restore = (data: Data) => store.replaceAll(data)
  return [
    healthCheck({ has, uptime: parts.uptime }),
    stats({ state, has }),
    snapshots({ state, restore, ...(config.snapshots && { directory: config.snapshots }) }),
    service(describeService(parts)),
    events(feed),
    router,
  ]
}

const passOn: RequestHandler = (_req, _res, next) => next()
