import type { RequestHandler } from 'express'
import { checkOptions } from './parts/option-types.ts'
import { DEFAULTS } from './parts/options.ts'

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
  checkOptions('cors', options)
  const headers = (options.allowedHeaders ?? DEFAULTS.cors.allowedHeaders).join(', ')

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
