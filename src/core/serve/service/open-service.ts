import { basename } from 'node:path'
import type { Request, RequestHandler } from 'express'
import type { ParsedLogic } from '../../../wings/logic/parse-logic.ts'
import type { Config } from '../../config/config.ts'
import { SESSION_LIMITS } from '../../config/object-settings-schema.ts'
import { usersIn } from '../../config/resource-config.ts'
import { ServiceWarnings } from '../../config/service-warnings.ts'
import type { Engine } from '../../engine/engine.ts'
import { StorageError } from '../../kernel/catalogue/error-classes.ts'
import { chain } from '../../kernel/http/chain.ts'
import { isSameJson } from '../../kernel/json/values.ts'
import type { Clock } from '../../kernel/util/clock.ts'
import type { Feed } from '../../kernel/util/feed.ts'
import { getOrMake } from '../../kernel/util/get-or-make.ts'
import { Hangs } from '../../layers/parts/broken-connection.ts'
import { FaultRules } from '../../layers/parts/fault-rules.ts'
import { type RewriteRules, rewriting } from '../../layers/rewriter.ts'
import { checkResources } from '../../resources/open-resources.ts'
import { Notices } from '../../router/query/handle-ignored.ts'
import type { Overrides } from '../overrides.ts'
import { EngineUses } from '../source/engine-uses.ts'
import { findLogic } from '../source/load-logic.ts'
import { isJsonFile, type Source } from '../source/load-source.ts'
import { type OpenedData, type OpenOptions, openData, reloadData } from '../source/open-data.ts'
import { hidePasswords } from './account-rules.ts'
import { openAccess } from './client-access.ts'
import { emitChanges } from './emit-changes.ts'
import { listMiddlewares } from './list-middlewares.ts'
import { mount, mountControls } from './mount.ts'
import { BaseWorld } from './served-world.ts'
import { checkComputed, ServiceLogic } from './service-logic.ts'
import {
  type Files,
  isSameData,
  loadFiles,
  loadRules,
  loadSchemas,
  loadServiceLogic,
  NOTHING_NEW,
  type Parts,
  type Renewal,
} from './service-parts.ts'
import { Sessions } from './sessions.ts'

export interface ServiceOptions extends Pick<OpenOptions, 'data' | 'live' | 'configFile' | 'log'> {
  readonly handlers?: Files | undefined
  readonly rules?: RewriteRules | undefined
  readonly logic?: ParsedLogic | undefined
  readonly overrides: Overrides
  readonly feed: Feed
  readonly clock: Clock
  /** Receives errors in code of the user's, even when nothing else is printed. */
  readonly report: (line: string) => void
}

export interface Service {
  /** The current generation. */
  readonly now: Parts
  /** Its chain. A field, since every request reads it. */
  handle: RequestHandler
  /** The endpoints and the API for the program that runs the server, past all guards. */
  readonly control: RequestHandler
  reloadData(): Promise<boolean>
  /** Serves another config, or the same with files reloaded. Requests in flight finish with what they started with. */
  renew(config: Config, renewal: Renewal): Promise<void>
  close(): Promise<void>
}

interface Generation extends Parts {
  readonly opened: OpenedData
  readonly files: Files
  readonly chain: RequestHandler
}

export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const { clock, feed, log, overrides, report } = options
  const start = performance.now()
  // A login layer outlives the engine it was built with, and is built before a generation is complete.
  let newest: OpenedData
  // What holds for sessions, even if they are opened before the generation is complete.
  let newestRules: Parts
  let dataFault: string | undefined
  const serviceLogic = new ServiceLogic({ config: () => now.config, clock, report })
  const sessions = new Sessions({
    base: () => now.base,
    limits: () => ({ ...SESSION_LIMITS, ...now.config.sessions }),
    onOpen: ({ engine, clock }) => void serviceLogic.apply(engine, newestRules, clock),
    onEnd: ({ engine }) => serviceLogic.end(engine),
  })
  const shared = {
    overrides,
    log,
    notices: new Notices(log),
    clock,
    serviceLogic,
    sessions,
    rewrite: (url: string): string => now.rewrite(url),
    now: () => clock.now(),
    hangs: new Hangs(),
    uptime: () => Math.round(performance.now() - start) / 1000,
    dataFault: () => dataFault,
  }
  const layerNeeds = {
    ...shared,
    currentEngine: () => newest.engine,
    accessOf: (req: Request) => now.accessOf?.(req),
    currentConfig: () => now.config,
  }
  const warnings = new ServiceWarnings(log)
  const uses = new EngineUses()
  let now = await load(config).catch(async (error: unknown) => {
    await uses.close().catch(() => {})
    throw error
  })

  async function load(next: Config, old?: Generation, renewal = NOTHING_NEW): Promise<Generation> {
    const isSame = old !== undefined && isSameData(old.config, next)
    const opened = isSame ? old.opened : await open(next, old?.engine)
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
    const needs = { ...layerNeeds, config: next, shared: opened.shared }
    const listed = await listMiddlewares(needs, files, oldLayers)
    const faultRules =
      old && isSameJson(old.config.faults, next.faults)
        ? old.faultRules
        : { base: new FaultRules(next.faults), fork: (base: FaultRules) => base.copy() }
    const rules = options.rules ?? (await loadRules(next, old, renewal))
    const parts: Parts = {
      ...shared,
      config: next,
      engine,
      base: new BaseWorld(engine, clock, feed),
      images: opened.images,
      accessOf: openAccess(next, engine),
      faultRules,
      rules,
      rewrite: rewriting(rules),
      schemas,
      logic,
      listed,
    }
    // Without `watch`, no other engine replaces this one.
    const handler = chain([...(next.watch ? [uses.count(engine)] : []), ...mount(parts)])
    warnings.checkConfig(next)
    await warnings.checkData(parts, fileOf(next), isSame)
    // Last: if something fails to load, the rules and the sessions stay.
    newestRules = parts
    await serviceLogic.apply(engine, parts, clock)
    const isSameUsers = old && usersIn(old.config) === usersIn(next)
    if (!isSame || !isSameUsers || next.sessions === false) sessions.endAll()
    const applied = sessions.list().map((each) => serviceLogic.apply(each.engine, parts, each.clock))
    await Promise.all(applied)
    warnings.checkFit(parts, isSame ? old.schemas : undefined)
    return { ...parts, opened, files, chain: handler }
  }

  async function open(next: Config, old: Engine | undefined): Promise<OpenedData> {
    const opened = await openData(next, {
      data: options.data,
      live: options.live,
      configFile: options.configFile,
      log,
      now: () => clock.now(),
      // In real time, whatever the clock shows, and beyond all versions so far.
      start: Math.max(Date.now(), (old?.history.version ?? 0) + 1),
    })
    uses.add(opened.engine)
    await hidePasswords(opened.engine, next, () => clock.date())
    emitChanges(opened.engine, feed)
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

  const controls = new WeakMap<Generation, RequestHandler>()
  const service: Service = {
    get now() {
      return now
    },
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
        await warnings.checkData(now, fileOf(now.config))
        warnings.checkFit(now)
      }
      return isNew
    },
    async renew(next, renewal) {
      try {
        const { engine } = now
        now = await load(next, now, renewal)
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
    close() {
      serviceLogic.close()
      warnings.close()
      return uses.close()
    },
  }
  return service
}

/** Clients see it, so it contains no path; what is wrong with a script stays in the log. */
function faultOf(error: unknown, source: Source): string {
  if (error instanceof StorageError) return error.message
  const names = [source].flat().map((path) => basename(path))
  return `${names.join(', ')} could not be loaded.`
}
