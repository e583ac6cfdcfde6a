import { basename, resolve } from 'node:path'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { openAccess } from '../../config/access-in.ts'
import { usersIn } from '../../config/resource-config.ts'
import { checkResources } from '../../config/resources/open-resources.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { Data } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { chain } from '../../core/kernel/http/chain.ts'
import type { RewriteRules } from '../../core/kernel/http/request-url.ts'
import { isSameJson } from '../../core/kernel/json/values.ts'
import type { Clock } from '../../core/kernel/util/clock.ts'
import type { Feed } from '../../core/kernel/util/feed.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import { Notices } from '../../core/router/query/handle-ignored.ts'
import { examplesIn, type Feature, featuresOn, type Generation } from '../../features/feature.ts'
import { BaseWorld } from '../../features/served-world.ts'
import type { Config } from '../../features/settings.ts'
import { ONLY_BASE } from '../../features/worlds.ts'
import { checkComputed } from '../../source/check-computed.ts'
import { EngineLifetimes } from '../../source/engine-lifetimes.ts'
import { findLogic } from '../../source/load-logic.ts'
import {
  type Files,
  isSameData,
  loadFiles,
  loadRules,
  loadSchemas,
  loadServiceLogic,
  NOTHING_NEW,
  type Renewal,
} from '../../source/load-parts.ts'
import { isJsonFile, type SourceSetting } from '../../source/load-source.ts'
import { type OpenDataOptions, type OpenedData, openData, reloadData } from '../../source/open-data.ts'
import type { ParsedLogic } from '../../wings/logic/parse-logic.ts'
import type { TestHandlers } from '../test-handlers.ts'
import { pageGuard } from './client-access.ts'
import { listMiddlewares } from './list-middlewares.ts'
import { mount, mountControls } from './mount.ts'
import { OpenFeatures } from './open-features.ts'
import { ServiceLogic } from './service-logic.ts'
import type { ServiceGeneration } from './service-parts.ts'
import { causeOf } from './world-routers.ts'

export interface ServiceOptions extends Pick<OpenDataOptions, 'data' | 'live' | 'configFile' | 'log'> {
  readonly handlers?: Files | undefined
  readonly rules?: RewriteRules | undefined
  readonly logic?: ParsedLogic | undefined
  readonly overrides: TestHandlers
  readonly feed: Feed
  readonly clock: Clock
  readonly features: readonly Feature[]
  /** Receives errors in code of the user's, even when nothing else is printed. */
  readonly report: (line: string) => void
}

export interface Service {
  /** The current generation. */
  now: ServiceGeneration
  /** Its chain. A field, since every request reads it. */
  handle: RequestHandler
  /** The endpoints and the API for the program that runs the server, past all guards. */
  readonly control: RequestHandler
  reloadData(): Promise<boolean>
  /** Serves another config, or the same with files reloaded. Requests in flight finish with what they started with. */
  renew(config: Config, renewal: Renewal): Promise<void>
  /** Ends requests that would stay open, so that the others can be waited for. */
  endStreams(): void
  close(): Promise<void>
}

interface LoadedParts extends ServiceGeneration {
  readonly opened: OpenedData
  readonly files: Files
  readonly chain: RequestHandler
}

export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const { clock, feed, log, overrides, report, features } = options
  const start = performance.now()
  // A login layer outlives the engine it was built with, and is built before a generation is complete.
  let newest: OpenedData
  // What holds for other worlds, even if they are opened before the generation is complete.
  let newestRules: ServiceGeneration
  let dataFault: string | undefined
  const serviceLogic = new ServiceLogic({
    config: () => now.config,
    sealOf: (config) => openFeatures.sealOf(config),
    clock,
    report,
  })
  const openFeatures = new OpenFeatures(features, {
    base: () => now.base,
    config: () => now.config,
    beginningOf: (req) => now.beginnings?.of(req),
    onOpen(world) {
      openFeatures.serve(world.engine, world.feed)
      void serviceLogic.apply(world.engine, newestRules, world.clock)
    },
    onEnd: ({ engine }) => serviceLogic.end(engine),
  })
  const shared = {
    features,
    configFile: options.configFile,
    overrides,
    log,
    notices: new Notices(log),
    clock,
    serviceLogic,
    rewrite: (url: string): string => now.rewrite(url),
    now: () => clock.now(),
    causeOf,
    uptime: () => Math.round(performance.now() - start) / 1000,
    dataFault: () => dataFault,
  }
  const aroundLayers = {
    ...shared,
    worlds: openFeatures.worlds,
    currentEngine: () => newest.engine,
    accessOf: (req: Request) => now.accessOf?.(req),
    currentConfig: () => now.config,
    guard: (req: Request, res: Response, next: NextFunction) => pageGuard(now.config)(req, res, next),
  }
  const uses = new EngineLifetimes()
  let now = await load(config).catch(async (error: unknown) => {
    await uses.close().catch(() => {})
    throw error
  })

  async function load(next: Config, old?: LoadedParts, renewal = NOTHING_NEW): Promise<LoadedParts> {
    const isFake = featuresOn(features, next).some(({ data }) => data)
    const beginnings = await openFeatures.beginningsUnder(next)
    const beginning = beginnings?.base
    const isSameBeginning = isSameJson(old?.base.beginning?.data, beginning?.data)
    const isSame = old?.isFake === isFake && isSameData(old.config, next) && isSameBeginning
    const opened = isSame ? old.opened : await open(next, old?.engine, beginning?.data)
    const { engine } = opened
    newest = opened
    const logicFile = options.logic ? undefined : findLogic(next, options.data !== undefined)
    const check = (one: ParsedLogic | undefined) => checkComputed(one, engine, next)
    const logic = options.logic ?? (await loadServiceLogic(logicFile, old, renewal, check))
    if (!isSame || logic === old?.logic) check(logic)
    const files = await loadFiles(next, old, renewal, options.handlers)
    const schemas = await loadSchemas(next, old, renewal)
    checkResources(next.resources ?? {}, engine)
    const oldLayers = old?.opened.shared === opened.shared ? old?.listed : undefined
    const wiring = { ...aroundLayers, config: next, shared: opened.shared, loginFile: opened.loginFile }
    const listed = await listMiddlewares(wiring, features, files, oldLayers)
    const rewrites = options.rules ?? (await loadRules(next, old, renewal))
    const generation: Generation & Omit<ServiceGeneration, 'mounted'> = {
      ...shared,
      config: next,
      isFake,
      engine,
      base: new BaseWorld(engine, clock, feed, beginning),
      worlds: openFeatures.worldsUnder(next),
      beginnings,
      images: opened.images,
      connections: opened.connections,
      savedIn: opened.files && [next.source ?? []].flat().map((path) => resolve(path)),
      accessOf: openAccess(next, engine),
      sealOf: openFeatures.sealOf(next),
      rewrites,
      rewrite: openFeatures.rewriteBy(rewrites),
      schemas,
      logic,
      listed,
    }
    const parts: ServiceGeneration = { ...generation, mounted: openFeatures.under(generation, old?.mounted) }
    // Without a reload, no other engine replaces this one.
    const isReloaded = featuresOn(features, next).some(({ reloads }) => reloads)
    const handler = chain([...(isReloaded ? [uses.count(engine)] : []), ...mount(parts)])
    const loaded = { file: fileOf(next), isSame, oldSchemas: isSame ? old.schemas : undefined }
    await openFeatures.tellLoaded(parts, loaded)
    // Last: if something fails to load, the rules and the other worlds stay.
    newestRules = parts
    if (old?.base.beginning?.name !== beginning?.name) beginning?.turn(clock)
    await serviceLogic.apply(engine, parts, clock)
    const isSameUsers = old && usersIn(old.config) === usersIn(next)
    if (!isSame || !isSameUsers || parts.worlds === ONLY_BASE) openFeatures.worlds.endAll()
    const applied = openFeatures.worlds
      .opened()
      .map((each) => serviceLogic.apply(each.engine, parts, each.clock))
    await Promise.all(applied)
    await openFeatures.tellSettled(parts, loaded)
    return { ...parts, opened, files, chain: handler }
  }

  async function open(next: Config, old: Engine | undefined, over: Data | undefined): Promise<OpenedData> {
    const opened = await openData(next, {
      data: options.data,
      live: options.live,
      over,
      examples: examplesIn(features, next),
      isEmpty: featuresOn(features, next).some(({ startsEmpty }) => startsEmpty?.(next)),
      configFile: options.configFile,
      log,
      now: () => clock.now(),
      // In real time, whatever the clock shows, and beyond all versions so far.
      start: Math.max(Date.now(), (old?.history.version ?? 0) + 1),
    })
    uses.add(opened.engine)
    openFeatures.serve(opened.engine, feed)
    return opened
  }

  function fileOf({ source }: Config): string | undefined {
    return options.data === undefined && isJsonFile(source) ? source : undefined
  }

  function reportFault(fault: string | undefined): void {
    if (fault === dataFault) return
    dataFault = fault
    emitDescription()
  }

  function emitDescription(): void {
    feed.emit({ type: 'service', data: { time: clock.iso() } })
  }

  const controls = new WeakMap<LoadedParts, RequestHandler>()
  const service: Service = {
    now,
    handle: now.chain,
    control(req, res, next) {
      return getOrMake(controls, now, () => mountControls(now))(req, res, next)
    },
    async reloadData() {
      const { source } = now.config
      if (source === undefined || options.data) return false
      const isNew = await reloadData(now.opened, source).catch((error: unknown) => {
        reportFault(faultOf(error, source))
        throw error
      })
      reportFault(undefined)
      if (isNew) {
        const loaded = { file: fileOf(now.config), isSame: false }
        await openFeatures.tellLoaded(now, loaded)
        await openFeatures.tellSettled(now, loaded)
      }
      return isNew
    },
    async renew(next, renewal) {
      try {
        const { engine } = now
        now = await load(next, now, renewal)
        service.now = now
        if (now.engine !== engine) {
          serviceLogic.end(engine)
          dataFault = undefined
        }
        service.handle = now.chain
        emitDescription()
      } finally {
        newest = now.opened
        uses.keepOnly(now.engine)
      }
    },
    endStreams() {
      feed.close()
      openFeatures.close()
    },
    close() {
      service.endStreams()
      serviceLogic.close()
      return uses.close()
    },
  }
  return service
}

/** Clients see it, so it contains no path; what is wrong with a script stays in the log. */
function faultOf(error: unknown, source: SourceSetting): string {
  if (error instanceof StorageError) return error.message
  const names = [source].flat().map((path) => basename(path))
  return `${names.join(', ')} could not be loaded.`
}
