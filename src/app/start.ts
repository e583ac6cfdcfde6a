import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Request, RequestHandler, Response } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { dropOrigin } from '../http/request-url.ts'
import { trustProxies } from '../layers/parts/trusted-proxies.ts'
import type { RewriteRules } from '../layers/rewriter.ts'
import type { ChainDb } from '../router/chain-db.ts'
import { FAULT_LOG, sendError } from '../router/respond.ts'
import { openSnapshots, type Snapshot } from '../storage/engine/snapshots.ts'
import { Clock } from '../util/clock.ts'
import { Feed } from '../util/feed.ts'
import { type Config, resolveConfig } from './config/config.ts'
import { blameFile } from './config/config-file.ts'
import type { Settings } from './config/config-schema.ts'
import { PAGE_PATH } from './home-page.ts'
import { Overrides } from './overrides.ts'
import { create } from './server/app.ts'
import type { Certificate } from './server/certificate.ts'
import { listen } from './server/listen.ts'
import { type ClientSession, clientSession } from './service/client-session.ts'
import { enteredSession } from './service/enter-session.ts'
import { openService, type Service } from './service/open-service.ts'
import type { Parts } from './service/service-parts.ts'
import type { Session } from './service/sessions.ts'
import { isJsonFile } from './source/load-source.ts'
import { type StartOptions, separateOptions } from './start-options.ts'
import { staticFolders } from './static-files.ts'
import { Watch } from './watch.ts'

export interface RunningServer {
  /** `http://localhost:3000` */
  readonly url: string
  readonly port: number
  /** The URL of the page: `/`, or `/__page` if the static folder has an index.html. */
  readonly page: string
  /** The data as a lodash chain. */
  readonly db: ChainDb
  readonly config: Config
  /** The names of the collections and objects currently served. */
  readonly resources: readonly string[]
  /** Current number of items in a collection; undefined for anything else. */
  count(resource: string): number | undefined
  readonly rules: RewriteRules
  /** With HTTPS: the certificate's thumbprints, for clients to compare. */
  readonly thumbprints?: Certificate['thumbprints']
  /**
   * A client with a copy of the data of its own, taken when it is first used.
   * @example
   * const worker = server.session('worker-1')
   * await worker.fetch('/posts/1', { method: 'DELETE' })
   */
  session(name: string): ClientSession
  /**
   * What time it is for the server: token lifetimes, rate limits, timestamps.
   * @example server.clock.advance('1h')
   */
  readonly clock: Clock
  /** Saves a copy of the data in the `snapshots` folder, or in the database that the data is in. */
  snapshot(): Promise<Snapshot>
  /** Puts the data back to what came from outside last: the start, a later edit of the file, or the `seed`. */
  reset(): Promise<void>
  /** Takes back the newest change that is not undone, or all after version `to`. Resolves with their versions. */
  undo(options?: { readonly to?: number }): Promise<readonly number[]>
  /** Makes again what was undone. Resolves with the versions. */
  redo(options?: { readonly to?: number }): Promise<readonly number[]>
  /**
   * Puts a handler in front of the API, behind CORS and the log. Returns how to remove it.
   * @example const restore = server.use((req, res, next) => (req.path === '/posts' ? res.sendStatus(503) : next()))
   */
  use(handler: RequestHandler): () => void
  /** Lets requests in flight finish, flushes pending writes, and frees the port. */
  close(): Promise<void>
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server, by default on a free port and silently, which suits tests.
 *
 * @example
 * const server = await start({ data: { posts: [] } })
 * await fetch(`${server.url}/posts`)
 * await server.close()
 */
export async function start(options: StartOptions = {}): Promise<RunningServer> {
  const { configFile } = options
  return open(options).catch((error: unknown) => {
    throw configFile ? blameFile(error, configFile, separateOptions(options).settings) : error
  })
}

async function open(options: StartOptions): Promise<RunningServer> {
  const { data, live, print, printError = print, configFile } = options
  const { settings, handlers, rules } = separateOptions(options)
  const resolve = (raw: Settings) => resolveConfig({ port: 0, quiet: print === undefined, ...raw })
  let latest: Settings = settings
  const config = resolve(settings)
  let isQuiet = () => config.quiet
  const log = (line: string) => {
    if (!isQuiet()) print?.(line)
  }
  const watching = config.watch
    ? new Watch(config, {
        hasData: data !== undefined,
        configFile: configFile && {
          path: configFile.path,
          read: async () => {
            latest = await configFile.read()
            return resolve(latest)
          },
          blame: (error) => blameFile(error, configFile, latest),
        },
        log,
      })
    : undefined
  await watching?.prepare()

  const feed = new Feed()
  const overrides = new Overrides()
  const clock = new Clock()
  const service = await openService(config, { data, live, handlers, rules, overrides, feed, clock, log })
  isQuiet = () => service.now.config.quiet
  const tls = config.https
    ? await (await import('./server/certificate.ts')).loadCertificate(config.ssl)
    : undefined
  const app = serve(service)
  app.set(
    FAULT_LOG,
    faultLog((line) => printError?.(line), service.now),
  )
  const { port, host } = config
  const listener = await listen(app, { port, host, ...(tls && { tls }) }).catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  watching?.start(service)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= closeAll()
    return closing
  }
  async function closeAll(): Promise<void> {
    watching?.close()
    feed.close()
    service.sessions.endAll()
    service.hangs.close()
    await listener.close()
    await service.close()
  }

  return {
    url: listener.url,
    port: listener.port,
    get page() {
      const folders = staticFolders(service.now.config.static)
      return folders.some((folder) => existsSync(join(folder, 'index.html')))
        ? `${listener.url}${PAGE_PATH}`
        : listener.url
    },
    ...(tls && { thumbprints: tls.thumbprints }),
    get config() {
      return service.now.config
    },
    get rules() {
      return service.now.rules
    },
    get db() {
      return service.now.routers.router.db
    },
    get resources() {
      return service.engine.names()
    },
    count: (resource) => service.engine.database.table(resource)?.size,
    session(name) {
      if (service.now.config.sessions === false || service.now.config.hosted) {
        throw new ConfigError('Sessions are off. Remove "sessions": false, or "hosted", from the settings.')
      }
      const routerOf = (session: Session) => service.now.routers.routerOf(session)
      return clientSession(name, listener.url, service.sessions, routerOf)
    },
    clock,
    async snapshot() {
      const { snapshots: directory } = service.now.config
      if (directory === undefined) {
        throw new ConfigError('Snapshots are off. Name a folder: --snapshots snapshots')
      }
      return openSnapshots(service.engine, {
        directory,
        now: () => clock.now(),
        images: service.now.images,
      }).save()
    },
    reset: () => service.engine.reset(),
    undo: ({ to } = {}) => service.engine.write({ kind: 'move', direction: 'undo', to }),
    redo: ({ to } = {}) => service.engine.write({ kind: 'move', direction: 'redo', to }),
    use: (handler) => overrides.use(handler),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Prints errors; with the first failed write of the data file, also the remedy. */
function faultLog(
  print: (line: string) => void,
  { config }: Pick<Parts, 'config'>,
): (line: string, cause: unknown) => void {
  let isExplained = false
  return (line, cause) => {
    print(line)
    if (isExplained || !(cause instanceof Error && 'syscall' in cause) || !isJsonFile(config.source)) return
    isExplained = true
    print(`${config.source} cannot be written. To serve it without writing to it, start with --no-persist.`)
  }
}

/** An app that passes requests straight to the service: there is nothing to route, and Express's router is slow. */
function serve(service: Service) {
  const app = create()
  const isTrusted = trustProxies(() => service.now.config.trustedProxies)
  app.set('trust proxy', isTrusted)
  Object.defineProperty(app, 'db', { get: () => service.now.routers.router.db })
  Object.defineProperty(app.request, 'db', {
    configurable: true,
    get(this: Request) {
      const session = enteredSession(this)
      return session ? service.now.routers.routerOf(session).db : service.now.routers.router.db
    },
    // A middleware may use the name for something of its own.
    set(this: Request, value: unknown) {
      Object.defineProperty(this, 'db', { value, writable: true, configurable: true, enumerable: true })
    },
  })
  Object.assign(app, {
    handle(req: Request, res: Response) {
      if (!req.url.startsWith('/')) dropOrigin(req)
      req.res = res
      req.originalUrl = req.url
      req.baseUrl = ''
      req.params = {}
      res.locals = Object.create(null)
      service.handle(req, res, (error?: unknown) =>
        error ? sendError(res, error) : res.status(404).json({}),
      )
    },
  })
  return app
}
