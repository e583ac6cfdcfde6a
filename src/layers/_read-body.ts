import { AsyncResource } from 'node:async_hooks'
import express, { type Request, type RequestHandler } from 'express'

const LIMIT = '10mb'

/** What nearly all bodies are smaller than. */
const SMALL = 64 * 1024

/**
 * Reads the bytes of a body into `req.body`: what is packed, in chunks, or large with `express.raw`, and what nearly
 * everybody sends in a shorter way, since `express.raw` takes as long for it as all the rest of a write.
 */
export function readBody(): RequestHandler {
  const readAny = express.raw({ type: () => true, limit: LIMIT })

  return function readBody(req, res, next) {
    const length = plainLength(req)
    if (length !== undefined && length <= SMALL) readPlain(req, length, next)
    else readAny(req, res, next)
  }
}

/** How many bytes will come, where they come as they are meant, and as bytes. */
function plainLength({ headers, readable, readableEncoding }: Request): number | undefined {
  if (!readable || readableEncoding !== null) return undefined
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined)
    return undefined
  return Number(headers['content-length'])
}

function readPlain(req: Request, length: number, next: (failure?: unknown) => void): void {
  const chunks: Buffer[] = []
  let received = 0
  // Else whoever goes on afterwards would do so in the context of the connection, not of the request.
  const context = new AsyncResource('body')
  const done = (failure?: unknown): void => context.runInAsyncScope(next, undefined, failure)
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    received += chunk.length
  }
  const leave = (): void => done(new Error('The client left'))
  req.on('data', take)
  req.once('close', leave)
  req.once('end', () => {
    req.off('data', take)
    req.off('close', leave)
    const [first] = chunks
    req.body = chunks.length === 1 ? first : Buffer.concat(chunks)
    if (received === length) done()
    else done(new Error('The body ended early'))
  })
}
