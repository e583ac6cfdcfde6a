import { join } from 'node:path'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { isFolder } from '../config/static-files.ts'
import { only } from '../core/kernel/http/chain.ts'
import { pathPattern } from '../core/kernel/http/server-paths.ts'
import { PACKAGE_FOLDER } from '../core/kernel/util/package-folder.ts'
import { isOwnUrl } from '../features/serve-endpoints.ts'

/** Where the build puts the page. */
const FOLDER = join(PACKAGE_FOLDER, 'dist/page')

/** Scripts and styles have a content hash in their name. */
const ASSETS = '/__dashboard/'

/** The address of the page that no static file can take. */
export const PAGE_PATH = '/__page'

const YEAR = 365 * 24 * 60 * 60

/** The page may load its own files and talk to its own server; no other sources, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The handlers that serve the page. It is public: it contains no data, and fetches it like any client. */
interface HomePage {
  /** Serves it at `/`, where the user's static files may take precedence. */
  readonly home: RequestHandler
  /** Serves it at `/__page`, with its assets: mounted in front of static files, so that none can hide it. */
  readonly page: RequestHandler
}

/** Serves nothing if the page was not built. */
export function homePage(compress: RequestHandler | undefined): HomePage {
  const isBuilt = isFolder(FOLDER)
  const files = express.static(FOLDER, { index: 'index.html', redirect: false, setHeaders })
  const serve = (handler: RequestHandler): RequestHandler =>
    compress ? (req, res, next) => compress(req, res, () => handler(req, res, next)) : handler
  const serveFiles = serve(files)
  const servePage = serve(function servePage(_req, res, next) {
    setHeaders(res, INDEX)
    res.sendFile(INDEX, { root: FOLDER, cacheControl: false }, (error) => error && next(error))
  })

  return {
    home: only({ url: HOME }, (req, res, next) => {
      if (HOME.test(req.url) && isBuilt && isRead(req)) serveFiles(req, res, next)
      else next()
    }),
    page: only({ url: /^\/__/ }, (req, res, next) => {
      if (!isBuilt || !isRead(req)) next()
      else if (req.url.startsWith(ASSETS)) serveFiles(req, res, next)
      else if (!PAGE.test(req.url) || !isOwnUrl(req)) next()
      // Its assets have relative URLs, so a trailing slash would break them.
      else if (/^[^?]*\/(\?|$)/.test(req.url)) res.redirect(req.url.replace(/^[^?]*/, `..${PAGE_PATH}`))
      else servePage(req, res, next)
    }),
  }
}

const INDEX = 'index.html'

// Decided by the URL alone: other requests must not wait for the disk.
const HOME = /^\/(?:index\.html)?(?:\?|$)/
const PAGE = pathPattern([PAGE_PATH])

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function setHeaders(res: Response, path: string): void {
  const isPage = path.endsWith('.html')
  res.setHeader('Cache-Control', isPage ? 'no-cache' : `public, max-age=${YEAR}, immutable`)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (!isPage) return
  res.setHeader('Content-Security-Policy', POLICY)
  res.setHeader('Referrer-Policy', 'no-referrer')
}
