import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { type ChainDb, chainDbOf } from '../compat/chain-db.ts'
import { blameFile } from '../config/config-file.ts'
import { staticFolders } from '../config/static-files.ts'
import type { Engine } from '../core/engine/engine.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { RewriteRules } from '../core/kernel/http/request-url.ts'
import { Clock } from '../core/kernel/util/clock.ts'
import { Feed } from '../core/kernel/util/feed.ts'
import { type Feature, featuresOn } from '../features/feature.ts'
import { FEATURES } from '../features/list.ts'
import type { ConfigSettings } from '../features/settings.ts'
import { type Config, resolveConfig } from '../features/settings.ts'
import {
  checkIsObject,
  type OpenOptions,
  type SplitOptions,
  type StartOptions,
  splitCodeFromSettings,
} from '../features/start-options.ts'
import { openSnapshots, type Snapshot } from '../stores/file/snapshots.ts'
import { type ClientSession, clientSession } from './connect.ts'
import { controlsBy, type ServerControls } from './controls.ts'
import { PAGE_PATH } from './home-page.ts'
import type { App } from './server/app.ts'
import type { FetchOptions } from './server/fetch-from.ts'
import { inProcess } from './server/in-process.ts'
import type { MountedHandler } from './server/mounted-handler.ts'
import { openService, type Service } from './service/open-service.ts'
import { serviceApp } from './service-app.ts'
import { TestHandlers } from './test-handlers.ts'

/** Everything that a server does, without a port of its own. */
export interface OpenedServer extends ServerControls {
  /** A handler for Express, connect, Vite or Node's own servers. What it does not know goes to `next`. */
  readonly handler: MountedHandler
  /**
   * `Request` in, `Response` out, without a network. A path is one of the server.
   * @example const response = await api.fetch('/posts', { method: 'POST', body: '{"title":"Hello"}' })
   */
  fetch(input: string | URL | Request, init?: FetchOptions): Promise<Response>
  /** Where the page is: `/`, or `/__page` if the static folder has an index.html. With a port, the whole URL. */
  readonly page: string
  /** The data as a lodash chain. */
  readonly db: ChainDb
  readonly config: Config
  /** The names of the collections and objects currently served. */
  readonly resources: readonly string[]
  /** Your own endpoints: `POST /orders/:id/finish`. */
  readonly handlers: readonly string[]
  /** Current number of items in a collection; undefined for anything else. */
  count(resource: string): number | undefined
  readonly rules: RewriteRules
  /**
   * A client with a copy of the data of its own, taken when it is first used.
   * @example
   * const worker = server.session('worker-1')
   * await worker.fetch('/posts/1', { method: 'DELETE' })
   */
  session(name: string): ClientSession
  /**
   * The server's clock: token lifetimes, rate limits, timestamps.
   * @example server.clock.advance('1h')
   */
  readonly clock: Clock
  /** Saves a copy of the data in the `snapshots` folder, or in the database that the data is in. */
  snapshot(): Promise<Snapshot>
  /**
   * Puts a handler in front of the API, behind CORS and the log. Returns how to remove it.
   * @example const restore = server.use((req, res, next) => (req.path === '/posts' ? res.sendStatus(503) : next()))
   */
  use(handler: RequestHandler): () => void
  /** Lets requests in flight finish, flushes pending writes, and frees the port, if there is one. */
  close(): Promise<void>
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** How requests get in, besides `handler` and `fetch`. */
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

  function openEngine(): Engine {
    if (!closing) return service.now.engine
    throw new ConfigError('The server was closed. Open another one, or close it later.')
  }

  const server: OpenedServer = {
    ...controlsBy(fetchControl),
    handler,
    fetch,
    get page() {
      const folders = staticFolders(service.now.config.static)
      const isTaken = folders.some((folder) => existsSync(join(folder, 'index.html')))
      return isTaken ? `${origin}${PAGE_PATH}` : origin || '/'
    },
    get config() {
      return service.now.config
    },
    get rules() {
      return service.now.rewrites
    },
    get db() {
      return chainDbOf(service.now.engine)
    },
    get resources() {
      return service.now.engine.names()
    },
    get handlers() {
      return service.now.logic?.routes.map(({ method, path }) => `${method} ${path}`) ?? []
    },
    count: (resource) => service.now.engine.database.table(resource)?.size,
    session(name) {
      const { config, worlds, engine: base } = service.now
      if (config.sessions === false) {
        throw new ConfigError('Sessions are off. Remove "sessions": false, or "hosted", from the settings.')
      }
      const send = { send: fetch, control: fetchControl, sendAs: fetchAs }
      return clientSession(name, { worlds, base, ...send })
    },
    clock,
    async snapshot() {
      const { config, engine, images, now } = service.now
      const { snapshots: directory } = config
      if (directory === undefined) {
        throw new ConfigError('Snapshots are off. Name a folder: --snapshots snapshots')
      }
      return openSnapshots(engine, { directory, now, images }).save()
    },
    reset: async () => openEngine().reset(),
    undo: async ({ to } = {}) => openEngine().write({ kind: 'move', direction: 'undo', to }),
    redo: async ({ to } = {}) => openEngine().write({ kind: 'move', direction: 'redo', to }),
    use: (handler) => overrides.use(handler),
    close,
    [Symbol.asyncDispose]: close,
  }
  return Object.assign(server, members)
}
