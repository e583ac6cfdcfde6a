import type { Request, Response } from 'express'
import type { RenderedAnswer } from './answer-cache.ts'

/** Below this many bytes compression costs more than it saves; the `compression` package draws the line here too. */
const WORTH_COMPRESSING = 1024

/**
 * Sends what `res.jsonp` would send, byte for byte and header for header, without making it anew.
 * @param mayCompress whether nobody else compresses it
 */
export async function sendAnswer(
  req: Request,
  res: Response,
  answer: RenderedAnswer,
  mayCompress: boolean,
): Promise<void> {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  if (!res.hasHeader('ETag')) res.setHeader('ETag', answer.etag)
  if (mayCompress) res.vary('Accept-Encoding')
  if (isKnownToClient(req)) {
    res.statusCode = 304
    res.removeHeader('Content-Type')
    res.end()
    return
  }
  if (mayCompress && answer.length >= WORTH_COMPRESSING && acceptsGzip(req)) {
    const body = await answer.gzipped()
    res.setHeader('Content-Encoding', 'gzip')
    res.setHeader('Content-Length', body.length)
    end(req, res, body)
    return
  }
  res.setHeader('Content-Length', answer.length)
  end(req, res, answer.body)
}

function end(req: Request, res: Response, body: string | Buffer): void {
  if (req.method === 'HEAD') res.end()
  else res.end(body)
}

/** `req.fresh` looks at many headers; most requests have none of those. */
function isKnownToClient(req: Request): boolean {
  const { headers } = req
  return (headers['if-none-match'] ?? headers['if-modified-since']) !== undefined && req.fresh
}

function acceptsGzip(req: Request): boolean {
  return req.headers['accept-encoding'] !== undefined && req.acceptsEncodings('gzip', 'identity') === 'gzip'
}
