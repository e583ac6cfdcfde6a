import type { Request, Response } from 'express'
import type { RouterContext } from '../context.ts'
import type { AnyResponse } from './render-response.ts'
import { RenderedResponse } from './rendered-response.ts'
import { storeForReplay } from './replay.ts'
import { holdUntilSent } from './response-memory.ts'
import { streamResponse } from './streamed-response.ts'

/** Bytes; also the default of the `compression` package. */
const WORTH_COMPRESSING = 1024

/** Sends what `res.jsonp` would send, byte for byte, without rendering it again. */
export async function sendResponse(
  req: Request,
  res: Response,
  response: AnyResponse,
  { compress, responses }: Pick<RouterContext, 'compress' | 'responses'>,
): Promise<void> {
  const { reading } = response
  // For middleware. A getter for long lists: the array is a copy of all rows, and rarely read.
  if (!reading.joined) res.locals.data = reading.data
  else {
    const get = () => reading.data
    Object.defineProperty(res.locals, 'data', { get, configurable: true, enumerable: true })
  }
  const mayCompress = compress !== undefined
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Type', response.type ?? 'application/json; charset=utf-8')
  const isStreamed = !(response instanceof RenderedResponse)
  if (!isStreamed && !res.hasHeader('ETag')) res.setHeader('ETag', response.etag)
  if (mayCompress) {
    // `res.vary` parses the header: nearly always it is one of these two.
    const vary = res.getHeader('Vary')
    if (vary === undefined) res.setHeader('Vary', 'Accept-Encoding')
    else if (vary === 'Origin') res.setHeader('Vary', 'Origin, Accept-Encoding')
    else res.vary('Accept-Encoding')
  }
  // `req.fresh` is slow, and most requests have neither header.
  const isConditional = (req.headers['if-none-match'] ?? req.headers['if-modified-since']) !== undefined
  if (isConditional && req.fresh) {
    res.statusCode = 304
    res.removeHeader('Content-Type')
    res.end()
    return
  }
  const isWorthIt = isStreamed || response.length >= WORTH_COMPRESSING
  const isCompressed = mayCompress && isWorthIt && mayBeGzip(req, res)
  if (isStreamed) return streamResponse(req, res, response, isCompressed)
  let { body, length }: { body: string | Buffer; length: number } = response
  if (isCompressed) {
    body = await response.gzipped()
    length = body.length
    responses.resize(response)
    res.setHeader('Content-Encoding', 'gzip')
  }
  res.setHeader('Content-Length', length)
  if (response.wasSent) storeForReplay(req, res, { response, body, length })
  response.wasSent = true
  if (req.method === 'HEAD') res.end()
  else {
    holdUntilSent(body, res)
    res.end(body)
  }
}

function mayBeGzip(req: Request, res: Response): boolean {
  if (req.headers['accept-encoding'] === undefined) return false
  const isFixed = /no-transform/i.test(String(res.getHeader('Cache-Control') ?? ''))
  return !isFixed && req.acceptsEncodings('gzip', 'identity') === 'gzip'
}
