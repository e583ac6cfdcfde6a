import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ConfigError } from '../errors.ts'
import { Feed } from '../feed.ts'
import type { RewriteRules } from '../layers/rewriter.ts'
import type { ChainDb } from '../router/chain-db.ts'
import { sendError } from '../router/respond.ts'
import { type RestRouter, router } from '../router/router.ts'
import { JsonFile } from '../storage/json-file.ts'
import { checkData } from '../storage/load.ts'
import { type Snapshot, Snapshots } from '../storage/snapshots.ts'
import { Store } from '../storage/store.ts'
import { create } from './app.ts'
import { type Certificate, loadCertificate } from './certificate.ts'
import { BUILT_IN_LAYERS, type Config, resolveConfig } from './config.ts'
import { readJsonFile } from './config-file.ts'
import type { Settings } from './config-schema.ts'
import { describeChange } from './describe-resources.ts'
import { listen } from './listen.ts'
import { loadMiddlewares } from './load-middlewares.ts'
import { loadSource } from './load-source.ts'
import { mount } from './mount.ts'

export interface StartOptions extends Settings {
  /** Served from memory, live, instead of a `source`. */
  data?: object
  /** Hears what the program has to say while it runs. Without it, nothing is printed. */
  print?: (line: string) => void
}

export interface RunningServer {
  /** `http://localhost:3000` */
  readonly url: string
  readonly port: number
  /** The data as a lodash chain. */
  readonly db: ChainDb
  readonly config: Config
  /** The names of the collections and objects served now. */
  readonly resources: readonly string[]
  readonly rules: RewriteRules
  /** With HTTPS: what a client can compare the certificate with. */
  readonly thumbprints?: Certificate['thumbprints']
  /** Saves a copy of the data in the `snapshots` folder. */
  snapshot(): Promise<Snapshot>
  /** Lets requests under way finish, saves what is to be saved, and frees the port. */
  close(): Promise<void>
}

/**
 * Starts a server, by default on a free port and silently, as tests like it.
 *
 * @example
 * const server = await start({ data: { posts: [] } })
 * await fetch(`${server.url}/posts`)
 * await server.close()
 */
export async function start({ data, print, ...settings }: StartOptions = {}): Promise<RunningServer> {
  const config = resolveConfig({ port: 0, quiet: print === undefined, ...settings })
  const log = print ?? (() => {})
  const store = await openStore(config, data, log)
  const feed = watchStore(store)
  const rest = router(store, { cascade: config.cascade })
  const rules = config.routes === undefined ? {} : await readRules(config.routes)
  const files = await loadFiles(config.middlewares)
  const app = serve(rest, mount({ config, store, router: rest, rules, files, feed, log }))

  const tls = config.https ? await loadCertificate(config.ssl) : undefined
  const { port, host } = config
  const listener = await listen(app, { port, host, ...(tls && { tls }) })

  return {
    url: listener.url,
    port: listener.port,
    config,
    rules,
    ...(tls && { thumbprints: tls.thumbprints }),
    get db() {
      return rest.db
    },
    get resources() {
      return store.names()
    },
    snapshot() {
      if (config.snapshots === undefined) {
        return Promise.reject(new ConfigError('Snapshots are off. Name a folder: --snapshots snapshots'))
      }
      return new Snapshots(config.snapshots).save(store.data)
    },
    async close() {
      feed.close()
      await listener.close()
      await store.flush()
    },
  }
}

/** A feed that hears of every change of the data. */
function watchStore(store: Store): Feed {
  const feed = new Feed()
  store.onChange = (names) => {
    if (!feed.isHeard) return
    feed.tell({
      type: 'change',
      data: { time: new Date().toISOString(), resources: describeChange(store, names) },
    })
  }
  return feed
}

async function openStore(
  config: Config,
  data: object | undefined,
  log: (line: string) => void,
): Promise<Store> {
  const { id, foreignKeySuffix, source } = config
  const naming = { id, foreignKeySuffix }
  if (data !== undefined) return new Store(checkData(data, 'data'), naming)
  if (config.hosted) return new Store({}, naming)
  if (source === undefined) {
    throw new ConfigError('source: nothing to serve. Name a data file, such as db.json.')
  }
  const loaded = await loadSource(source, { naming })
  if (loaded.kind === 'memory') return new Store(loaded.data, naming)
  if (loaded.created) log(`${source} did not exist: created it with sample data.`)
  const medium = new JsonFile(loaded.path)
  return new Store(medium.readSync(), { ...naming, medium })
}

/** The rules as they are in the file; `rewriter` checks them. */
async function readRules(file: string): Promise<RewriteRules> {
  return (await readJsonFile(file)) as RewriteRules
}

async function loadFiles(
  entries: readonly string[],
): Promise<ReadonlyMap<string, readonly RequestHandler[]>> {
  const builtIn: readonly string[] = BUILT_IN_LAYERS
  const files = entries.filter((entry) => !builtIn.includes(entry))
  return new Map(await Promise.all(files.map(async (file) => [file, await loadMiddlewares([file])] as const)))
}

function serve(rest: RestRouter, handlers: readonly RequestHandler[]) {
  const app = create()
  // json-server's middleware packages look for the data here.
  Object.defineProperty(app, 'db', { get: () => rest.db })
  app.use(...handlers)
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => sendError(res, error))
  return app
}
