import { blameFile } from '../config/config-file.ts'
import { Clock } from '../core/kernel/util/clock.ts'
import { Feed } from '../core/kernel/util/feed.ts'
import { type Feature, featuresOn } from '../features/feature.ts'
import { FEATURES } from '../features/list.ts'
import { type Config, type ConfigSettings, resolveConfig } from '../features/settings.ts'
import {
  checkIsObject,
  type OpenOptions,
  type SplitOptions,
  type StartOptions,
  splitCodeFromSettings,
} from '../features/start-options.ts'
import { type OpenedServer, openedServer } from './opened-server.ts'
import type { App } from './server/app.ts'
import { inProcess } from './server/in-process.ts'
import { openService, type Service } from './service/open-service.ts'
import { serviceApp } from './service-app.ts'
import { TestHandlers } from './test-handlers.ts'

interface Door<Members> {
  readonly members: Members
  readonly origin?: string
  /** The path that leads here, where nothing cuts it off. */
  readonly base?: string
  readonly closeDoor?: () => Promise<void>
}

type OpenDoor<Members> = (app: App, config: Config) => Promise<Door<Members>>

/**
 * Opens the data with everything that `start()` serves, on no port: for a handler in another server, for `fetch`, and for
 * tests.
 *
 * @example
 * const api = await open({ data: { posts: [] } })
 * await api.fetch('/posts')
 * await api.close()
 */
export async function open(options: OpenOptions = {}): Promise<OpenedServer> {
  const { base = '', ...others } = checkIsObject(options)
  return openWith(others, async () => ({ members: {}, base: base.replace(/\/$/, '') }))
}

/**
 * Opens a server, with what a door adds to it.
 * @param features all by default
 */
export async function openWith<Members extends object>(
  options: StartOptions,
  openDoor: OpenDoor<Members>,
  features: readonly Feature[] = FEATURES,
): Promise<OpenedServer & Members> {
  const { configFile } = checkIsObject(options)
  const separated = splitCodeFromSettings(options)
  return openServer(options, separated, openDoor, features).catch((error: unknown) => {
    throw configFile ? blameFile(error, configFile, separated.settings) : error
  })
}

async function openServer<Members extends object>(
  options: StartOptions,
  { settings, handlers, rules, logic }: SplitOptions,
  openDoor: OpenDoor<Members>,
  features: readonly Feature[],
): Promise<OpenedServer & Members> {
  const { data, live, print, printError = print, configFile } = options
  const resolve = (raw: ConfigSettings) => resolveConfig({ port: 0, quiet: print === undefined, ...raw })
  const config = resolve(settings)
  let opened: Service | undefined
  const log = (line: string) => {
    const { quiet } = opened?.now.config ?? config
    if (!quiet) print?.(line)
  }
  const reloaders = featuresOn(features, config).flatMap(
    ({ reloads }) =>
      reloads?.(config, { hasData: data !== undefined, configFile, settings, resolve, log }) ?? [],
  )
  for (const reloader of reloaders) await reloader.prepare()

  const feed = new Feed()
  const overrides = new TestHandlers(log)
  const clock = new Clock()
  const report = (line: string) => printError?.(line)
  const service = await openService(config, {
    ...{ data, live, handlers, rules, logic, overrides, feed, clock, log, report, features },
    configFile: configFile?.path,
  })
  opened = service
  const serviceHandlers = serviceApp(service, report)
  const {
    members,
    origin = '',
    base: root = '',
    closeDoor,
  } = await openDoor(serviceHandlers.app, config).catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  const { handler, fetch, fetchControl, fetchAs, closeRequests } = inProcess(serviceHandlers, {
    origin,
    root,
  })
  for (const reloader of reloaders) reloader.start(service)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll())
  async function closeAll(): Promise<void> {
    for (const reloader of reloaders) reloader.close()
    service.endStreams()
    await Promise.all([closeDoor?.(), closeRequests()])
    await service.close()
  }

  const server = openedServer(service, {
    ...{ handler, fetch, fetchControl, fetchAs, origin, clock, close },
    use: (added) => overrides.use(added),
    isClosed: () => closing !== undefined,
  })
  return Object.assign(server, members)
}
