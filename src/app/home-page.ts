import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response } from 'express'

/** Where the build puts the page, seen from the sources and from the built program alike. */
const FOLDER = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))

/** Scripts and styles carry the hash of their content in their name. */
const ASSETS = '/__dashboard/'

/** Where the page is whatever the folder of static files holds. */
export const PAGE_PATH = '/__page'

const YEAR = 365 * 24 * 60 * 60

/** The page may load its own files and talk to its own server; nothing else, and nothing inline. */
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

export interface HomePageOptions {
  /** Where the page was built. */
  folder?: string
  /** Compresses what is sent, where nobody in front does. */
  compress?: RequestHandler | undefined
}

/** The handlers that serve the page. It is public and the same for everybody: it holds no data, and asks for it. */
export interface HomePage {
  /** Serves it at `/`, where files of the user's own may come first. */
  readonly home: RequestHandler
  /** Serves it at `/__page`, and what it is made of: to stand in front of other files, so that none can hide it. */
  readonly page: RequestHandler
}

/** The page, which asks the API for its data as any client does. Where it was not built there is none. */
export function homePage({ folder = FOLDER, compress }: HomePageOptions = {}): HomePage {
  const isBuilt = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  const files = express.static(folder, { index: 'index.html', redirect: false, setHeaders })
  const serve = (handler: RequestHandler): RequestHandler =>
    compress ? (req, res, next) => compress(req, res, () => handler(req, res, next)) : handler
  const serveFiles = serve(files)
  const servePage = serve(function servePage(_req, res, next) {
    setHeaders(res, INDEX)
    res.sendFile(INDEX, { root: folder, cacheControl: false }, (error) => error && next(error))
  })

  return {
    home(req, res, next) {
      if (isBuilt && isRead(req) && HOME.test(req.url)) serveFiles(req, res, next)
      else next()
    },
    page(req, res, next) {
      if (!req.url.startsWith('/__') || !isBuilt || !isRead(req)) next()
      else if (req.url.startsWith(ASSETS)) serveFiles(req, res, next)
      else if (!PAGE.test(req.url) || !isNamedByClient(req)) next()
      // Its files are found beside it, so it cannot stand in a folder.
      else if (/^[^?]*\/(\?|$)/.test(req.url)) res.redirect(req.url.replace(/^[^?]*/, `..${PAGE_PATH}`))
      else servePage(req, res, next)
    },
  }
}

const INDEX = 'index.html'

// Told by the URL alone: other requests must not wait for the disk.
const HOME = /^\/(?:index\.html)?(?:\?|$)/
const PAGE = /^\/__page\/?(?:\?|$)/

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Not what a rewrite rule made of another path. */
function isNamedByClient({ originalUrl, baseUrl, url }: Request): boolean {
  return originalUrl === baseUrl + url
}

function setHeaders(res: Response, path: string): void {
  const isPage = path.endsWith('.html')
  res.setHeader('Cache-Control', isPage ? 'no-cache' : `public, max-age=${YEAR}, immutable`)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (!isPage) return
  res.setHeader('Content-Security-Policy', POLICY)
  res.setHeader('Referrer-Policy', 'no-referrer')
}
