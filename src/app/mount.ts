import { resolve } from 'node:path'
import compression from 'compression'
import type { RequestHandler } from 'express'
import { events } from '../endpoints/events.ts'
import { healthCheck } from '../endpoints/health-check.ts'
import { hosted } from '../endpoints/hosted.ts'
import { schema } from '../endpoints/schema.ts'
import { service } from '../endpoints/service.ts'
import { snapshots } from '../endpoints/snapshots.ts'
import { stats } from '../endpoints/stats.ts'
import type { Feed } from '../feed.ts'
import { chain } from '../http/chain.ts'
import { createBodyParser } from '../layers/body-parser.ts'
import type { RequestLog } from '../layers/log/_log-line.ts'
import { devLog } from '../layers/log/dev-log.ts'
import { recorder } from '../layers/log/recorder.ts'
import { pause } from '../layers/pause.ts'
import { type RewriteRules, rewriteUrl, showRules } from '../layers/rewriter.ts'
import type { OpenedSchemas } from '../resources/open-resources.ts'
import type { AnswerCache } from '../router/answer/answer-cache.ts'
import { replay } from '../router/answer/replay.ts'
import type { RestRouter } from '../router/router.ts'
import type { Engine } from '../storage/engine.ts'
import { writeOut } from '../storage/json/write-out.ts'
import type { Data } from '../storage/types.ts'
import type { Config } from './config/config.ts'
import { defaults, isFolder, PUBLIC } from './defaults.ts'
import { describeService } from './describe/describe-service.ts'
import { SelfDescription } from './describe/self-description.ts'
import type { DoorSettings } from './doors.ts'

/** Everything the chain is made of, already loaded. */
export interface Parts {
  readonly config: Config
  readonly engine: Engine
  readonly router: RestRouter
  /** The router's answer cache. */
  readonly answers: AnswerCache
  readonly rules: RewriteRules
  /** The user's schemas, by resource. */
  readonly schemas: OpenedSchemas
  /** The resolved entries of `middlewares`, in order. */
  readonly listed: readonly Listed[]
  /** Seconds since the server started, across reloads. */
  readonly uptime: () => number
  /** Sends events to the page at `/`. */
  readonly feed: Feed
  readonly log: (line: string) => void
}

/** An entry of `middlewares`, ready to run. */
export interface Listed {
  readonly handlers: readonly RequestHandler[]
  /** A user's file, not one of our layers. */
  readonly isFile: boolean
}

/** The middleware chain of every request, top to bottom. Disabled features are not in it. */
export function mount(parts: Parts): readonly RequestHandler[] {
  const { config } = parts
  const isLogging = !config.quiet && !config.middlewares.includes('logger')
  const log = isLogging ? devLog({ print: parts.log }) : undefined
  return [
    ...(mayReplay(config) ? [replayOf(parts, log)] : []),
    ...defaults({
      recorder: recorder(parts.feed),
      noGzip: config.noGzip,
      isRouterCompressing: true,
      noCors: config.noCors,
      hasCorsLayer: config.middlewares.includes('cors'),
      logger: isLogging,
      log,
      logs: logsOf(parts, log),
      readOnly: config.readOnly,
      ...(config.static && { static: resolve(config.static) }),
      ...doorsOf(config),
    }),
    ...inOrder(parts),
    // Behind every guard, wherever the rewriter is.
    showRules(parts.rules),
    ...(config.delay > 0 ? [pause(config.delay)] : []),
    ...(config.hosted ? [hosted(config.hosted)] : [endpoints(parts), parts.router]),
  ]
}

/** Layers that treat all requests of the same URL alike, or only observe. */
const REPEATABLE: ReadonlySet<string> = new Set(['cors', 'logger'])

/** Whether equal requests get equal answers while the data is unchanged, and nothing needs to see each of them. */
function mayReplay(config: Config): boolean {
  const isWaiting = config.delay > 0
  const hasFiles = isFolder(config.static ?? PUBLIC)
  const isRepeatable = config.middlewares.every((entry) => REPEATABLE.has(entry))
  return isRepeatable && !isWaiting && !hasFiles && !config.hosted
}

function replayOf(parts: Parts, log: RequestLog | undefined): RequestHandler {
  const { feed, answers } = parts
  return replay({ answers, mayReplay: () => !feed.isHeard, logs: logsOf(parts, log) })
}

/** All request logs, wherever they are in the chain. */
function logsOf({ listed }: Parts, log: RequestLog | undefined): readonly RequestLog[] {
  return log ? [log] : listed.flatMap(({ handlers }) => handlers).filter(isLog)
}

/** The host to listen on is also a name to reach the server by. */
function doorsOf({ allowedHosts, allowedOrigins, host }: Config): DoorSettings {
  if (allowedHosts === undefined && allowedOrigins === undefined) return {}
  const hosts = [...(allowedHosts ?? []), host]
  return { allowedHosts: hosts, ...(allowedOrigins && { allowedOrigins }) }
}

function isLog(layer: RequestHandler): layer is RequestLog {
  return 'note' in layer
}

/**
 * The entries of `middlewares`, in order. The rewriter runs right before the first user file, or last: so guards see
 * the URL the client sent, and user files the rewritten one, with a body.
 */
function inOrder({ config, rules, listed, log }: Parts): readonly RequestHandler[] {
  const firstFile = listed.findIndex(({ isFile }) => isFile)
  const place = firstFile < 0 ? listed.length : firstFile
  const before = listed.slice(0, place).flatMap(({ handlers }) => handlers)
  const after = listed.slice(place).flatMap(({ handlers }) => handlers)
  if (after.length === 0) return [...before, rewriteUrl(rules)]
  return [
    ...before,
    rewriteUrl(rules),
    ...(config.bodyParser ? [createBodyParser({ log })] : []),
    ...(config.noGzip ? [] : [compression()]),
    ...after,
  ]
}

/** The fixed endpoints beside the data. A quick check of the URL saves all other requests the routing. */
function endpoints({ config, engine, feed, ...parts }: Parts): RequestHandler {
  const has = (name: string) => engine.kindOf(name) !== undefined
  const state = async () => (await engine.read({ kind: 'database' })).found
  const restore = (data: Data) => engine.write({ kind: 'replace-database', data })
  const routes = chain([
    healthCheck({ has, uptime: parts.uptime }),
    stats({ state, has }),
    snapshots({
      writeOut: () => writeOut(engine),
      restore,
      ...(config.snapshots && { directory: config.snapshots }),
    }),
    service(describeService({ config, engine, ...parts })),
    schema(new SelfDescription({ config, engine, rules: parts.rules, schemas: parts.schemas })),
    events(feed),
  ])
  return function endpoints(req, res, next) {
    if (FIXED.test(req.url)) routes(req, res, next)
    else next()
  }
}

const FIXED = /^\/(?:health-check|stats|__)/i
