import type { RequestHandler } from 'express'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS, type Log } from './parts/options.ts'

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
  checkOptions('cors', options)
  const { allowedHeaders: names = DEFAULTS.cors.allowedHeaders, log } = options
  const headers = names.join(', ')
  const logRefused = log && logOnce(names, log)

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
