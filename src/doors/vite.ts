import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { ConfigError, followApi, type OpenedServer, open, type StartOptions, StorageError } from '../index.ts'

export interface VitePluginOptions extends StartOptions {
  /** The path of the API, on the origin of the app. @default '/api' */
  base?: string
  /** A file for the TypeScript types of the API, which the dev server writes, and again when they change: `src/api.d.ts`. */
  types?: string
}

/**
 * Serves the API in Vite's dev server and preview, with its page at `/api/`. Edits of its files are served.
 * @example
 * export default defineConfig({ plugins: [restable({ base: '/api', source: 'db.json' })] })
 */
export default function restable({ base = '/api', ...options }: VitePluginOptions = {}): Plugin {
  const { types: _, ...withoutTypes } = options
  const path = base.replace(/^\/+|\/+$/g, '')
  const root = path === '' ? '' : `/${path}`
  return {
    name: 'restable',
    configureServer: (server) => serve(server, root, options),
    configurePreviewServer: (server) => serve(server, root, withoutTypes),
  }
}

type ViteServer = ViteDevServer | PreviewServer

/** The API of a server of Vite, and of the one that replaces it: two would write the same file. */
interface Shared {
  server: ViteServer
  options: ApiOptions
  api: Promise<Api>
}

type ApiOptions = Omit<VitePluginOptions, 'base'>
type Api = Pick<OpenedServer, 'handler' | 'close'>

/** By the options that Vite was started with, which stay when it starts again, and by path. */
const started = new WeakMap<object, Map<string, Shared>>()

async function serve(server: ViteServer, root: string, options: ApiOptions): Promise<void> {
  const { logger, inlineConfig } = server.config
  const shared = await openShared(inlineConfig, root, server, options).catch(withoutStack)
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

/**
 * Opens an API. With the options of the one that it would replace, that goes on. Else that lets go of its data first, and
 * comes back if the new one cannot be opened.
 */
async function openShared(
  key: object,
  root: string,
  server: ViteServer,
  options: ApiOptions,
): Promise<Shared> {
  const apis = started.get(key) ?? new Map<string, Shared>()
  started.set(key, apis)
  const old = apis.get(root)
  if (!old) {
    const shared = { server, options, api: Promise.resolve(await openApi(options, server)) }
    apis.set(root, shared)
    return shared
  }
  const { api, options: before } = old
  if (isDeepStrictEqual(before, options)) return Object.assign(old, { server })
  const opening = api.then((opened) => opened.close()).then(() => openApi(options, server))
  // Requests to the old server wait for it.
  old.api = opening.catch(() => openApi(before, server))
  await opening
  return Object.assign(old, { server, options })
}

/** Of this process: an edit of Vite's config does not log users out. */
const SECRET = process.env.JWT_SECRET || randomUUID()

async function openApi({ types, ...options }: ApiOptions, { config: { logger } }: ViteServer): Promise<Api> {
  checkTypesFile(types)
  const settings = {
    // Vite serves the folder `public` itself.
    static: [],
    watch: true,
    print: (line: string) => logger.info(line),
    printError: (line: string) => logger.error(line),
    ...options,
    ...([options.middlewares].flat().includes('accounts') && {
      accounts: { secret: SECRET, ...options.accounts },
    }),
  }
  const api = await open(settings)
  if (types === undefined) return api
  const fail = (error: unknown) => logger.error(`${types} was not written: ${messageOf(error)}`)
  const stop = await followApi(options, {
    hear: async (now) => writeNew(types, await now.types()),
    fail,
  }).catch(async (error: unknown) => {
    await api.close()
    throw error
  })
  const close = () => {
    stop()
    return api.close()
  }
  return { handler: api.handler, close }
}

/** A typo must not destroy the data. */
function checkTypesFile(file: string | undefined): void {
  if (file === undefined || /\.d\.[cm]?ts$/.test(file)) return
  throw new ConfigError(`types: "${file}" must end in .d.ts. For example: types: 'src/api.d.ts'`)
}

/** An unchanged file is not written, so that nothing that watches it rebuilds. */
async function writeNew(file: string, text: string): Promise<void> {
  if (text === (await readFile(file, 'utf8').catch(() => undefined))) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Vite prints stacks: that of a setting's error leads into this package, not to what has to change. */
function withoutStack(error: unknown): never {
  if (error instanceof ConfigError || error instanceof StorageError)
    error.stack = `restable: ${error.message}`
  throw error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
