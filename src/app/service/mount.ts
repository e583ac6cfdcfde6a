import { resolve } from 'node:path'
import compression from 'compression'
import type { Request, RequestHandler } from 'express'
import { hosted } from '../../endpoints/hosted.ts'
import { chain } from '../../http/chain.ts'
import { sessionNames } from '../../http/request-context.ts'
import type { RewriteUrl } from '../../http/request-url.ts'
import { isLoginAttempt } from '../../layers/accounts/endpoints.ts'
import { createBodyParser } from '../../layers/body-parser.ts'
import { readOnly } from '../../layers/default-layers.ts'
import { pause } from '../../layers/delay.ts'
import { faults } from '../../layers/faults.ts'
import { devLog, type RequestLog } from '../../layers/logger.ts'
import { type FeedOf, recorder } from '../../layers/recorder.ts'
import { rewriteUrl, showRules } from '../../layers/rewriter.ts'
import { replay } from '../../router/response/replay.ts'
import { shapeGuardErrors } from '../../router/shape/shape-errors.ts'
import { hasField } from '../../storage/data/fields.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import type { Config } from '../config/config.ts'
import { type DefaultsOptions, defaults } from '../defaults.ts'
import { isFolder, staticFolders } from '../static-files.ts'
import { adminOnly, hostsOf, isLogin } from './client-access.ts'
import { ALL_ENDPOINTS } from './endpoints.ts'
import { enterSession, readSession } from './enter-session.ts'
import { endpoints, serveData } from './serve-data.ts'
import type { Parts } from './service-parts.ts'
import { Routers } from './session-routers.ts'

/** The middleware chain of every request, top to bottom. Disabled features are not in it. */
export function mount(parts: Parts): readonly RequestHandler[] {
  const { config } = parts
  const routers = new Routers(parts)
  const isLogging = !config.quiet && !config.middlewares.includes('logger')
  const log = isLogging ? devLog({ print: parts.log }) : undefined
  const hasSessions = config.sessions !== false && !config.hosted
  return [
    ...(mayReplay(config) ? [replayOf(parts, routers, log)] : []),
    ...(hasSessions ? [readSession] : []),
    ...(routers.shapes?.hasErrors ? [shapeGuardErrors(routers.shapes, parts)] : []),
    ...defaults({
      recorder: recorder(feedOf(parts), parts.clockOf),
      noGzip: config.noGzip,
      isRouterCompressing: true,
      noCors: config.noCors,
      hasCorsLayer: config.middlewares.includes('cors'),
      logger: isLogging,
      log,
      logs: logsOf(parts, log),
      readOnly: config.readOnly,
      isLogin: isLogin(config, parts.rewrite),
      ...(config.static && { static: staticFolders(config.static).map((folder) => resolve(folder)) }),
      ...originSettings(config),
    }),
    parts.overrides.handler,
    ...inOrder(parts, hasSessions ? [enterSession(parts.sessions)] : []),
    // Behind every guard, wherever the rewriter is.
    showRules(parts.rules),
    // Logins have been handled: all other writes end here.
    ...(config.readOnly ? [readOnly()] : []),
    ...(config.delay > 0 ? [pause(config.delay)] : []),
    ...(parts.accessOf ? [adminOnly(parts.accessOf, ALL_ENDPOINTS)] : []),
    config.hosted
      ? hosted({ ...config.hosted, beside: endpoints(parts), log: parts.log })
      : serveData(parts, routers),
  ]
}

/** The end of the chain for the program that runs the server: without guards, and with all rights. */
export function mountControls(parts: Parts): RequestHandler {
  const unlimited = { ...parts, accessOf: undefined }
  return chain([readSession, enterSession(parts.sessions), serveData(unlimited, new Routers(unlimited))])
}

function feedOf({ feed, sessions }: Parts): FeedOf {
  return (req) => {
    const name = sessionNames.get(req)
    return name ? sessions.peek(name)?.feed : feed
  }
}

/** Layers that treat all requests of the same URL alike, or only observe. */
const REPEATABLE: ReadonlySet<string> = new Set(['cors', 'logger'])

/** Whether equal requests get equal responses while the data is unchanged, and no handler needs to see each of them. */
function mayReplay(config: Config): boolean {
  const isWaiting = config.delay > 0
  const hasFiles = staticFolders(config.static).some(isFolder)
  const isRepeatable = config.middlewares.every((entry) => REPEATABLE.has(entry))
  return isRepeatable && !isWaiting && !hasFiles && !config.hosted
}

function replayOf(parts: Parts, { responses }: Routers, log: RequestLog | undefined): RequestHandler {
  const { feed, overrides } = parts
  const { base } = parts.faults
  const isQuiet = () => !feed.wantsRequests && base.active.length === 0 && overrides.isEmpty
  const catchUp = () => parts.engine.catchUp()
  return replay({ responses, mayReplay: isQuiet, catchUp, logs: logsOf(parts, log) })
}

function logsOf({ listed }: Parts, log: RequestLog | undefined): readonly RequestLog[] {
  return log ? [log] : listed.flatMap(({ handlers }) => handlers).filter(isLog)
}

function originSettings(config: Config): DefaultsOptions {
  const { allowedHosts, allowedOrigins } = config
  if (allowedHosts === undefined && allowedOrigins === undefined) return {}
  return { allowedHosts: hostsOf(config), ...(allowedOrigins && { allowedOrigins }) }
}

function isLog(layer: RequestHandler): layer is RequestLog {
  return 'note' in layer
}

/**
 * The entries of `middlewares`, in order. The rewriter runs right before the first user file, or last: so guards see
 * the URL the client sent, and user files the rewritten one, with a body. Sessions are entered at the same position.
 */
function inOrder(parts: Parts, entrance: readonly RequestHandler[]): readonly RequestHandler[] {
  const { config, rules, log } = parts
  const listed = withLoginLimit(parts)
  const firstFile = listed.findIndex(({ isFile }) => isFile)
  const rewriteAt = firstFile < 0 ? listed.length : firstFile
  const firstGuard = config.middlewares.findIndex((entry) => !BEFORE_FAULTS.has(entry))
  const faultsAt = firstGuard < 0 ? listed.length : firstGuard
  const before = [
    ...listed.slice(0, faultsAt).flatMap(({ handlers }) => handlers),
    ...faultsOf(parts),
    ...listed.slice(faultsAt, rewriteAt).flatMap(({ handlers }) => handlers),
  ]
  const rewriter = Object.keys(rules).length > 0 ? [rewriteUrl(rules)] : []
  const after = listed.slice(rewriteAt).flatMap(({ handlers }) => handlers)
  if (after.length === 0) return [...before, ...entrance, ...rewriter]
  return [
    ...before,
    ...entrance,
    ...rewriter,
    ...(config.bodyParser ? [createBodyParser({ log })] : []),
    ...(config.noGzip ? [] : [compression()]),
    ...after,
  ]
}

/** Behind the layer that answers logins, `rate-limit` would count none: it is asked before, too. */
function withLoginLimit({ config, listed, rewrite }: Parts): Parts['listed'] {
  const loginAt = config.middlewares.findIndex((name) => name === 'accounts' || name === 'jwt')
  const limitAt = config.middlewares.indexOf('rate-limit')
  const limit = chain(listed[limitAt]?.handlers ?? [])
  if (loginAt < 0 || limitAt < loginAt) return listed
  const limitLogins: RequestHandler = (req, res, next) =>
    isLoginAttempt(req, rewrite) ? limit(req, res, next) : next()
  return listed.map((entry, at) =>
    at === loginAt ? { ...entry, handlers: [limitLogins, ...entry.handlers] } : entry,
  )
}

/** A browser must be able to read a failure, and the log shows it. Guards come later: a failing server checks no key. */
const BEFORE_FAULTS: ReadonlySet<string> = new Set(['cors', 'delay', 'logger'])

function faultsOf(parts: Parts): readonly RequestHandler[] {
  const { config, engine, sessions, rewrite, hangs, clockOf } = parts
  if (config.noFaults) return []
  const engineOf = (req: Request) => sessions.peek(sessionNames.get(req) ?? '')?.engine ?? engine
  return [faults({ rulesOf: parts.faults.of, hangs, clockOf, isField: statusField(engineOf, rewrite) })]
}

/** Whether `_status` is a field of the data that a request reads: then it is a filter, and no failure is requested. */
function statusField(
  engineOf: (req: Request) => Engine,
  rewrite: RewriteUrl,
): (req: Request) => Promise<boolean> {
  return async (req) => {
    const engine = engineOf(req)
    const [path = ''] = rewrite(req.originalUrl).split('?', 1)
    const tables = path.split('/').flatMap((name) => engine.database.table(name) ?? [])
    return (await Promise.all(tables.map((table) => hasField(table, '_status')))).includes(true)
  }
}
