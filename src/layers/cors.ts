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
  const sayKept = options.log === undefined ? undefined : sayOnce(names, checkLog('cors', options.log))

  return function cors(req, res, next) {
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('Access-Control-Allow-Methods', METHODS)
    res.setHeader('Access-Control-Allow-Headers', headers)
    if (req.method !== 'OPTIONS') return next()
    sayKept?.(req.headers['access-control-request-headers'])
    res.statusCode = 200
    res.setHeader('Content-Length', '0')
    res.end()
  }
}

const METHODS = 'GET, POST, PUT, DELETE, PATCH, OPTIONS'

/** Pages can make up any names. */
const MOST_SAID = 20
const NAME = /^[\w-]{1,60}$/

/** Browsers send no request with a header that is not allowed, and hardly explain it. */
function sayOnce(names: readonly string[], log: Log): (wanted: string | undefined) => void {
  const known = new Set(names.map((name) => name.toLowerCase()))
  const most = known.size + MOST_SAID
  // To browsers, `*` means every header except Authorization.
  const isOpen = known.has('*')
  return (wanted = '') => {
    for (const part of wanted.split(',')) {
      const name = part.trim().toLowerCase()
      if (known.has(name) || !NAME.test(name) || known.size >= most) continue
      known.add(name)
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
