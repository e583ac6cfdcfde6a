import type { Request, RequestHandler } from 'express'
import { isFolder, staticFiles, staticFolders } from '../config/static-files.ts'
import { bodyParser } from '../core/layers/body-parser.ts'
import { noCache, readOnly, reflectOrigin, sameOrigin } from '../core/layers/default-layers.ts'
import { devLog, type Print } from '../core/layers/logger.ts'
import { allowedHosts, allowedOrigins } from '../core/layers/origin-checks.ts'
import { compressing } from './compressing.ts'
import { homePage } from './home-page.ts'

export interface DefaultsOptions {
  /** Log one line per request. @default true */
  logger?: boolean
  /** Folders of static files, in front of the API and the page; the first that has a file wins. @default './public' */
  static?: string | readonly string[]
  /** Refuse every request that could change data. */
  readOnly?: boolean
  /** Requests that a read-only server lets pass, too: they log users in and out. @internal */
  isLogin?: (req: Request) => boolean
  /** Send no CORS headers, and keep pages of other origins from embedding responses, by JSONP or otherwise. */
  noCors?: boolean
  /** A later layer sends the CORS headers. @internal */
  hasCorsLayer?: boolean
  /**
   * Host names this server responds to, besides localhost and IP addresses: `app.test`, or `.example.com` for that
   * domain and its subdomains. Requests to others get 403.
   */
  allowedHosts?: readonly string[]
  /**
   * Origins whose pages may use this server, besides its own: `http://localhost:5173`, `https://*.example.com`,
   * `http://localhost:*`. Requests from others get 403.
   */
  allowedOrigins?: readonly string[]
  /** Do not compress responses. */
  noGzip?: boolean
  /** The router compresses its own responses, so only the files in front of it need compression. */
  isRouterCompressing?: boolean
  /** Parse request bodies already here, for handlers in front of the router; the router parses them anyway. */
  bodyParser?: boolean
  /** Serves the home page if the folder has no index.html. @default the page of this package */
  home?: RequestHandler
  /** Records requests. Behind compression, so that it sees bodies uncompressed. */
  recorder?: RequestHandler
  /** Receives log lines. @default console.log */
  print?: Print
  /** Replaces the log that `print` would receive. @internal */
  log?: RequestHandler | undefined
  /** Log requests that are refused in front of `log`. By default the log itself. @internal */
  logs?: readonly RequestHandler[]
}

/**
 * The handlers that json-server puts in front of its router, in its order.
 * @example
 * const app = create()
 * app.use(defaults({ logger: false }))
 */
export function defaults(options: DefaultsOptions = {}): RequestHandler[] {
  const { logger = true, recorder, print } = options
  const compress = options.noGzip ? undefined : compressing()
  const folders = staticFolders(options.static).filter(isFolder)
  const log = logger ? (options.log ?? devLog(print ? { print } : {})) : undefined
  const handlers: RequestHandler[] = []
  const isClosed = options.allowedOrigins !== undefined || (options.noCors && !options.hasCorsLayer)
  if (isClosed) handlers.push(sameOrigin)
  if (compress && (folders.length > 0 || !options.isRouterCompressing)) handlers.push(compress)
  if (recorder) handlers.push(recorder)
  handlers.push(...originChecks(options, options.logs ?? (log ? [log] : [])))
  if (!options.noCors && !options.hasCorsLayer) handlers.push(reflectOrigin)
  const { home, page } = homePage(options.isRouterCompressing ? compress : undefined)
  handlers.push(page)
  // Each checks the disk on every GET, so it is only mounted if there are files.
  handlers.push(...folders.map(staticFiles))
  handlers.push(options.home ?? home)
  if (log) handlers.push(log)
  handlers.push(noCache)
  if (options.readOnly) handlers.push(readOnly(options.isLogin))
  if (options.bodyParser) handlers.push(...bodyParser)
  return handlers
}

/**
 * The guards that refuse pages of other origins; none without a setting. Either setting also refuses other hosts:
 * after DNS rebinding, a page has the same origin as the server, so its requests carry no `Origin`.
 */
function originChecks(settings: DefaultsOptions, logs: readonly RequestHandler[]): readonly RequestHandler[] {
  const { allowedHosts: hosts, allowedOrigins: origins } = settings
  if (hosts === undefined && origins === undefined) return []
  return [allowedHosts(hosts ?? [], logs), ...(origins ? [allowedOrigins(origins, logs)] : [])]
}
