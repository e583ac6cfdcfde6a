import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { open, type StartOptions } from '../index.ts'

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

async function serve(
  server: ViteDevServer | PreviewServer,
  base: string,
  options: StartOptions,
): Promise<void> {
  const { logger } = server.config
  const api = await open({
    // Vite serves the folder `public` itself.
    static: [],
    print: (line) => logger.info(line),
    printError: (line) => logger.error(line),
    ...options,
  })
  const root = base.replace(/\/$/, '')
  server.middlewares.use(root, (req, res, next) => {
    // To connect, `/api.js` is below `/api`, too.
    if (req.originalUrl?.charAt(root.length) === '.') return next()
    // Without `next`: Vite would respond to a misspelled path with the app's page.
    api.handler(req, res)
  })
  // Vite starts again by making another server, with the same plugin, before it closes the old one.
  const { close, printUrls } = server
  server.printUrls = () => {
    printUrls.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const [url] = [...local, ...network]
    if (url !== undefined) logger.info(`  ➜  API:     ${new URL(`${root}/`, url).href}`)
  }
  server.close = async () => {
    await api.close()
    await close.call(server)
  }
}
