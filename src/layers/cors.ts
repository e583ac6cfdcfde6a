import type { RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { checkLog, checkOptions, DEFAULTS, type Log } from './parts/options.ts'

export interface CorsOptions {
  /**
   * Request headers that pages of other origins may send. A browser client of the api-key layer needs
   * `X-API-KEY` in the list; one that sends If-None-Match or Range needs those. The default is the documented five.
   * @default ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'Authorization']
   */
  allowedHeaders?: readonly string[]
  /** Receives a line for each header that a page may not send. Nothing by default. */
  log?: Log
}

/**
 * Lets pages of any origin use the API: three headers on every response, and `OPTIONS` answered here with 200.
 * @example
 * app.use(cors({ allowedHeaders: ['Content-Type', 'X-API-KEY'] }))
 */
export function cors(options: CorsOptions = {}): RequestHandler {
  checkOptions('cors', options, ['allowedHeaders', 'log'])
  const names = options.allowedHeaders ?? DEFAULTS.cors.allowedHeaders
  const headers = checkHeaders(names)
  const logRefused = options.log === undefined ? undefined : logOnce(names, checkLog('cors', options.log))

  return function cors(req, res, next) {
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('Access-Control-Allow-Methods', METHODS)
    res.setHeader('Access-Control-Allow-Headers', headers)
    if (req.method !== 'OPTIONS') return next()
    logRefused?.(req.headers['access-control-request-headers'])
    res.statusCode = 200
    res.setHeader('Content-Length', '0')
    res.end()
  }
}

const METHODS = 'GET, POST, PUT, DELETE, PATCH, OPTIONS'

/** Pages can make up any names. */
const MOST_LOGGED = 20
const NAME = /^[\w-]{1,60}$/

/** Browsers send no request with a header that is not allowed, and hardly explain it. */
function logOnce(names: readonly string[], log: Log): (requested: string | undefined) => void {
  const handled = new Set(names.map((name) => name.toLowerCase()))
  const most = handled.size + MOST_LOGGED
  // To browsers, `*` means every header except Authorization.
  const isOpen = handled.has('*')
  return (requested = '') => {
    for (const part of requested.split(',')) {
      const name = part.trim().toLowerCase()
      if (handled.has(name) || !NAME.test(name) || handled.size >= most) continue
      handled.add(name)
      if (isOpen && name !== 'authorization') continue
      log(`cors: a page wants to send ${name}, and browsers will not. Add it to cors.allowedHeaders.`)
    }
  }
}

function checkHeaders(names: unknown): string {
  if (
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  ) {
    return names.join(', ')
  }
  throw new ConfigError(
    'cors.allowedHeaders must be a list of header names, such as ["Content-Type", "X-API-KEY"]',
  )
}
