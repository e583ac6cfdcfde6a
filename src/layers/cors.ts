import type { RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { checkOptions, DEFAULTS } from './parts/options.ts'

export interface CorsOptions {
  /**
   * Request headers that pages of other origins may send. A browser client of the api-key layer needs
   * `X-API-KEY` in the list; one that sends If-None-Match or Range needs those. The default is the documented five.
   * @default ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'Authorization']
   */
  allowedHeaders?: readonly string[]
}

/**
 * Lets pages of any origin use the API: three headers on every response, and `OPTIONS` answered here with 200.
 * @example
 * app.use(cors({ allowedHeaders: ['Content-Type', 'X-API-KEY'] }))
 */
export function cors(options: CorsOptions = {}): RequestHandler {
  checkOptions('cors', options, ['allowedHeaders'])
  const headers = checkHeaders(options.allowedHeaders ?? DEFAULTS.cors.allowedHeaders)

  return function cors(req, res, next) {
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader('Access-Control-Allow-Methods', METHODS)
    res.setHeader('Access-Control-Allow-Headers', headers)
    if (req.method !== 'OPTIONS') return next()
    res.statusCode = 200
    res.setHeader('Content-Length', '0')
    res.end()
  }
}

const METHODS = 'GET, POST, PUT, DELETE, PATCH, OPTIONS'

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
