import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { type OpenedServer, open, type StartOptions } from '../index.ts'

export interface VitePluginOptions extends StartOptions {
  /** The path of the API, on the origin of the app. @default '/api' */
  base?: string
}

/**
 * Serves the API in Vite's dev server and preview, with its page at `/api/`.
 * @example
 * export default defineConfig({ plugins: [restable({ base: '/api', source: 'db.json' })] })
 */
export default function restable({ base = '/api', ...options }: VitePluginOptions = {}): Plugin {
  return {
    name: 'restable',
    configureServer: (server) => serve(server, base, options),
    configurePreviewServer: (server) => serve(server, base, options),
  }
}

type ViteServer = ViteDevServer | PreviewServer

/** The API of a server of Vite, and of the one that replaces it: two would write the same file. */
interface Shared {
  server: ViteServer
  options: StartOptions
  api: Promise<OpenedServer>
}

/** By the options that Vite was started with, which stay when it starts again, and by path. */
const started = new WeakMap<object, Map<string, Shared>>()

async function serve(server: ViteServer, base: string, options: StartOptions): Promise<void> {
  const { logger, inlineConfig } = server.config
  const root = base.replace(/\/$/, '')
  const shared = await openShared(inlineConfig, root, server, {
    // Vite serves the folder `public` itself.
    static: [],
    print: (line) => logger.info(line),
    printError: (line) => logger.error(line),
    ...options,
  })
  server.middlewares.use(root, (req, res, next) => {
    // To connect, `/api.js` is below `/api`, too.
    if (req.originalUrl?.charAt(root.length) === '.') return next()
    // Without `next`: Vite would respond to a misspelled path with the app's page.
    shared.api.then((api) => api.handler(req, res), next)
  })
  const { close, printUrls } = server
  server.printUrls = () => {
    printUrls.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const [url] = [...local, ...network]
    if (url !== undefined) logger.info(`  ➜  API:     ${new URL(`${root}/`, url).href}`)
  }
  server.close = async () => {
    // Vite starts again by making another server before it closes this one.
    if (shared.server === server) await shared.api.then((api) => api.close())
    await close.call(server)
  }
}

/** Opens an API. The one that it replaces lets go of its data first, and comes back if the new one cannot be opened. */
async function openShared(
  key: object,
  root: string,
  server: ViteServer,
  options: StartOptions,
): Promise<Shared> {
  const apis = started.get(key) ?? new Map<string, Shared>()
  started.set(key, apis)
  const old = apis.get(root)
  if (!old) {
    const shared = { server, options, api: Promise.resolve(await open(options)) }
    apis.set(root, shared)
    return shared
  }
  const { api, options: before } = old
  const opening = api.then((opened) => opened.close()).then(() => open(options))
  // Requests to the old server wait for it.
  old.api = opening.catch(() => open(before))
  await opening
  return Object.assign(old, { server, options })
}
