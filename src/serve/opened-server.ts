import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { type ChainDb, chainDbOf } from '../compat/chain-db.ts'
import { staticFolders } from '../config/static-files.ts'
import type { Engine } from '../core/engine/engine.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { RewriteRules } from '../core/kernel/http/request-url.ts'
import type { Clock } from '../core/kernel/util/clock.ts'
import type { Config } from '../features/settings.ts'
import { ONLY_BASE } from '../features/worlds.ts'
import { openSnapshots, type Snapshot } from '../stores/file/snapshots.ts'
import { type ClientSession, clientSession, type SessionOptions } from './connect.ts'
import { controlsBy, type ServerControls } from './controls.ts'
import { PAGE_PATH } from './home-page.ts'
import type { FetchOptions } from './server/fetch-from.ts'
import type { inProcess } from './server/in-process.ts'
import type { MountedHandler } from './server/mounted-handler.ts'
import type { Service } from './service/open-service.ts'

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
  session(name: string, options?: SessionOptions): ClientSession
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
interface Reached
  extends Pick<ReturnType<typeof inProcess>, 'handler' | 'fetch' | 'fetchControl' | 'fetchAs'>,
    Pick<OpenedServer, 'clock' | 'use' | 'close'> {
  readonly origin: string
  readonly isClosed: () => boolean
}

/** The members of a server, for the program that opened it. */
export function openedServer(service: Service, reached: Reached): OpenedServer {
  const { handler, fetch, fetchControl, fetchAs, origin, clock, use, close, isClosed } = reached
  return {
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
    session(name, options) {
      const { worlds, beginnings, engine: base } = service.now
      if (worlds === ONLY_BASE) {
        throw new ConfigError('Sessions are off. Remove "sessions": false, or "hosted", from the settings.')
      }
      const send = { send: fetch, control: fetchControl, sendAs: fetchAs }
      return clientSession(name, { worlds, beginnings, base, ...send, ...options })
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
    async reset() {
      openEngine()
      await service.now.base.reset()
    },
    undo: async ({ to } = {}) => openEngine().write({ kind: 'move', direction: 'undo', to }),
    redo: async ({ to } = {}) => openEngine().write({ kind: 'move', direction: 'redo', to }),
    use,
    close,
    [Symbol.asyncDispose]: close,
  }

  function openEngine(): Engine {
    if (!isClosed()) return service.now.engine
    throw new ConfigError('The server was closed. Open another one, or close it later.')
  }
}
