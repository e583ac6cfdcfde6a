import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response } from 'express'

/** Where the build puts the page, seen from the sources and from the built program alike. */
const FOLDER = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))

/** Scripts and styles carry the hash of their content in their name. */
const ASSETS = '/__dashboard/'

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

/**
 * The page at `/` and what it is made of. Public and the same for everybody: it holds no data, and asks the API
 * for it as any client does. Where the page was not built there is none.
 */
export function homePage({ folder = FOLDER, compress }: HomePageOptions = {}): RequestHandler {
  const isBuilt = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  const files = express.static(folder, { index: 'index.html', redirect: false, setHeaders })

  return function homePage(req, res, next) {
    if (!isBuilt || !isAskedFor(req)) next()
    else if (compress) compress(req, res, () => files(req, res, next))
    else files(req, res, next)
  }
}

/** Told by the URL alone: other requests must not wait for the disk. */
function isAskedFor({ method, url }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^\/(?:index\.html)?(?:\?|$)/.test(url) || url.startsWith(ASSETS)
}

function setHeaders(res: Response, path: string): void {
  const isPage = path.endsWith('.html')
  res.setHeader('Cache-Control', isPage ? 'no-cache' : `public, max-age=${YEAR}, immutable`)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (!isPage) return
  res.setHeader('Content-Security-Policy', POLICY)
  res.setHeader('Referrer-Policy', 'no-referrer')
}
