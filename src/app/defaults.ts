import { statSync } from 'node:fs'
import compression from 'compression'
import type { RequestHandler } from 'express'
import { bodyParser } from '../layers/body-parser.ts'
import { reflectOrigin } from '../layers/doors/reflect-origin.ts'
import { sameOrigin } from '../layers/doors/same-origin.ts'
import type { Print } from '../layers/log/_log-line.ts'
import { devLog } from '../layers/log/dev-log.ts'
import { noCache } from '../layers/no-cache.ts'
import { readOnly } from '../layers/read-only.ts'
import { type DoorSettings, doors } from './doors.ts'
import { homePage } from './home-page.ts'
import { staticFiles } from './static-files.ts'

/** The folder with files of the user's own, where no other is named. */
export const PUBLIC = './public'

export interface DefaultsOptions extends DoorSettings {
  /**
   * Log one line a request.
   * @default true
   */
  logger?: boolean
  /**
   * Folder with files of your own. They come before the API and the home page, file by file.
   * @default './public'
   */
  static?: string
  /** Refuse whatever could change data. */
  readOnly?: boolean
  /** Send no cross-origin headers, and keep answers from pages of other origins: they cannot embed them, nor by JSONP. */
  noCors?: boolean
  /** A layer further back sends the cross-origin headers. @internal */
  hasCorsLayer?: boolean
  /** Leave answers uncompressed. */
  noGzip?: boolean
  /** The router compresses for itself, and what is in front of it only has to see to its own files. */
  isRouterCompressing?: boolean
  /** Read request bodies here already, for handlers in front of the router; the router reads them anyway. */
  bodyParser?: boolean
  /**
   * Serves the home page where the folder has no index.html.
   * @default the page of this package
   */
  home?: RequestHandler
  /** Watches requests: right behind compression, so that it sees bodies as they are meant. */
  recorder?: RequestHandler
  /** Takes the log's lines. @default console.log */
  print?: Print
  /** Logs instead of what `print` would be for. @internal */
  log?: RequestHandler | undefined
  /** Hear of requests that are turned away in front of where they stand. By default the log itself. @internal */
  logs?: readonly RequestHandler[]
}

/**
 * The handlers that json-server puts in front of its router, in its order.
 * @example
 * const app = create()
 * app.use(defaults({ logger: false }))
 */
export function defaults(options: DefaultsOptions = {}): RequestHandler[] {
  const { logger = true, static: folder = PUBLIC, recorder, print } = options
  const compress = options.noGzip ? undefined : compression()
  const hasFiles = isFolder(folder)
  const log = logger ? (options.log ?? devLog(print ? { print } : {})) : undefined
  const handlers: RequestHandler[] = []
  if (isClosed(options)) handlers.push(sameOrigin())
  if (compress && (hasFiles || !options.isRouterCompressing)) handlers.push(compress)
  if (recorder) handlers.push(recorder)
  handlers.push(...doors(options, options.logs ?? (log ? [log] : [])))
  if (!options.noCors && !options.hasCorsLayer) handlers.push(reflectOrigin())
  const { home, page } = homePage({ compress: options.isRouterCompressing ? compress : undefined })
  handlers.push(page)
  // Asks the disk at every GET, so it is only there when there is something to find.
  if (hasFiles) handlers.push(staticFiles(folder))
  handlers.push(options.home ?? home)
  if (log) handlers.push(log)
  handlers.push(noCache())
  if (options.readOnly) handlers.push(readOnly())
  if (options.bodyParser) handlers.push(...bodyParser)
  return handlers
}

/** The cors layer opens what `noCors` closes. */
function isClosed({ noCors, hasCorsLayer, allowedOrigins }: DefaultsOptions): boolean {
  return allowedOrigins !== undefined || (noCors === true && !hasCorsLayer)
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
