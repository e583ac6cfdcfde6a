import { resolve } from 'node:path'
import type { RequestHandler } from 'express'
import { isFolder, staticFolders } from '../../config/static-files.ts'
import { chain, only } from '../../core/kernel/http/chain.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { createBodyParser } from '../../core/layers/body-parser.ts'
import { readOnly } from '../../core/layers/default-layers.ts'
import { pause } from '../../core/layers/delay.ts'
import { isGuard, isLayer, layerNamed } from '../../core/layers/list.ts'
import { devLog, type LogLayer } from '../../core/layers/logger.ts'
import { hostsOf } from '../../core/layers/origin-checks.ts'
import { replay } from '../../core/router/response/replay.ts'
import type { Shapes } from '../../core/router/shape.ts'
import { endpointsIn } from '../../features/feature.ts'
import type { Config } from '../../features/settings.ts'
import { compressing } from '../compressing.ts'
import { type DefaultsOptions, defaults } from '../defaults.ts'
import { adminOnly, isLogin, withLoginLimit } from './client-access.ts'
import { serveData } from './serve-data.ts'
import { activeIn, type ServiceGeneration } from './service-parts.ts'
import { Routers } from './world-routers.ts'

/** The middleware chain of every request, top to bottom. Disabled features are not in it. */
export function mount(parts: ServiceGeneration): readonly RequestHandler[] {
  const { config } = parts
  const routers = new Routers(parts)
  const isLogging = !config.quiet && !config.middlewares.includes('logger')
  const log = isLogging ? devLog({ print: parts.log }) : undefined
  return [
    ...(mayReplay(parts) ? [replayOf(parts, routers, log)] : []),
    parts.worlds.find(parts.base),
    ...(routers.shapes?.hasErrors ? [guardErrors(routers.shapes, parts)] : []),
    ...defaults({
      ...watchersOf(parts),
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
    overridesOf(parts),
    ...inOrder(parts),
    ...activeIn(parts).flatMap(({ behindGuards = [] }) => behindGuards),
    // Logins have been handled: all other writes end here.
    ...(config.readOnly ? [readOnly()] : []),
    ...(config.delay > 0 ? [pause(config.delay)] : []),
    ...(parts.accessOf ? [adminOnly(parts.accessOf, endpointsIn(parts.features))] : []),
    ...activeIn(parts).flatMap(({ beforeData = [] }) => beforeData),
    serveData(parts, routers),
  ]
}

/** The end of the chain for the program that runs the server: without guards, and with all rights. */
export function mountControls(parts: ServiceGeneration): RequestHandler {
  const unlimited = { ...parts, accessOf: undefined }
  return chain([
    parts.worlds.find(parts.base),
    parts.worlds.enter,
    serveData(unlimited, new Routers(unlimited)),
  ])
}

/** Handlers that see all requests, as one: most requests pass through nothing but these. */
function watchersOf(parts: ServiceGeneration): Pick<DefaultsOptions, 'recorder'> {
  const [first, ...others] = activeIn(parts).flatMap(({ beforeAll = [] }) => beforeAll)
  return first ? { recorder: others.length === 0 ? first : chain([first, ...others]) } : {}
}

/** Errors of layers in front of the router look as the router's do. */
function guardErrors(shapes: Shapes, { engine, rewrite }: ServiceGeneration): RequestHandler {
  return function guardErrors(req, res, next) {
    const { url } = req
    const pathOf = () => rewrite(url).replace(/\?.*$/s, '')
    shapes.shapeErrors(req, res, { engine, pathOf, timeOf: () => worldOf(req).clock.iso() })
    next()
  }
}

/** Handlers of the program that runs the server: `server.use()`. */
function overridesOf(parts: ServiceGeneration): RequestHandler {
  const { overrides } = parts
  const run = chain([catchUpFirst(parts), overrides.handler])
  return only({ while: overrides }, run)
}

/** Takes over writes of other servers, as a read does: user code may read `req.db`. Only the base has any. */
function catchUpFirst({ engine }: ServiceGeneration): RequestHandler {
  return function catchUpFirst(req, _res, next) {
    const news = worldOf(req).name === undefined ? engine.catchUp() : undefined
    if (news) news.then(() => next(), next)
    else next()
  }
}

/** Whether equal requests get equal responses while the data is unchanged, and no handler needs to see each of them. */
function mayReplay({ config, isFake }: ServiceGeneration): boolean {
  const isWaiting = config.delay > 0
  const hasFiles = staticFolders(config.static).some(isFolder)
  const isRepeatable = config.middlewares.every((entry) => layerNamed(entry)?.isRepeatable)
  return isRepeatable && !isWaiting && !hasFiles && !isFake
}

function replayOf(
  parts: ServiceGeneration,
  { responses }: Routers,
  log: LogLayer | undefined,
): RequestHandler {
  const quiet = activeIn(parts).flatMap(({ isQuiet }) => isQuiet ?? [])
  const catchUp = () => parts.engine.catchUp()
  const heard = activeIn(parts).flatMap(({ replayed }) => replayed ?? [])
  return replay({ responses, quiet, unless: parts.overrides, catchUp, heard, logs: logsOf(parts, log) })
}

function logsOf({ listed }: ServiceGeneration, log: LogLayer | undefined): readonly LogLayer[] {
  return log ? [log] : listed.flatMap(({ handlers }) => handlers).filter(isLog)
}

function originSettings(config: Config): DefaultsOptions {
  const { allowedHosts, allowedOrigins } = config
  if (allowedHosts === undefined && allowedOrigins === undefined) return {}
  return { allowedHosts: hostsOf(config), ...(allowedOrigins && { allowedOrigins }) }
}

function isLog(layer: RequestHandler): layer is LogLayer {
  return 'note' in layer
}

/**
 * The entries of `middlewares`, in order. URLs are rewritten right before the first user file, or last: so guards see
 * the URL the client sent, and user files the rewritten one, with a body. Worlds are entered at the same position.
 */
function inOrder(parts: ServiceGeneration): readonly RequestHandler[] {
  const { config, log } = parts
  const listed = withLoginLimit(parts)
  const firstFile = listed.findIndex(({ isFile }) => isFile)
  const rewriteAt = firstFile < 0 ? listed.length : firstFile
  // A browser must be able to read a failure, and the log shows it. Guards come later: a failing server checks no key.
  const firstGuard = config.middlewares.findIndex((entry) => !isLayer(entry) || isGuard(entry))
  const guardsAt = firstGuard < 0 ? listed.length : firstGuard
  const before = [
    ...listed.slice(0, guardsAt).flatMap(({ handlers }) => handlers),
    ...activeIn(parts).flatMap(({ beforeGuards = [] }) => beforeGuards),
    ...listed.slice(guardsAt, rewriteAt).flatMap(({ handlers }) => handlers),
  ]
  const rewriting = activeIn(parts).flatMap(({ rewriting = [] }) => rewriting)
  const after = listed.slice(rewriteAt).flatMap(({ handlers }) => handlers)
  if (after.length === 0) return [...before, parts.worlds.enter, ...rewriting]
  return [
    ...before,
    parts.worlds.enter,
    ...rewriting,
    ...(config.bodyParser ? [createBodyParser({ log })] : []),
    ...(config.noGzip ? [] : [compressing()]),
    catchUpFirst(parts),
    ...after,
  ]
}
