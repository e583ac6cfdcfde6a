import type { Request, Response } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../../catalogue/errors.ts'
import { exposeTo } from '../../http/headers.ts'
import { shapedError } from '../../http/send-json.ts'
import { NO_CACHE, recordRefusal, sendUncached } from './guard.ts'
import type { BodyFault } from './read-body.ts'

export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly status: number
  readonly body: ErrorBody

  constructor(code: ErrorCode, message: string, status = statusOf(code)) {
    super(message)
    this.status = status
    this.body = errorBody(code, message)
  }
}

export function invalidBody(message: string, status?: number): BodyError {
  return new BodyError('INVALID_BODY', message, status)
}

export function tooLarge(message: string): BodyError {
  return new BodyError('BODY_TOO_LARGE', message)
}

export function unreadBody(fault: BodyFault): BodyError {
  switch (fault) {
    case 'too large':
      return tooLarge('The body is larger than 10 MB; send less at a time.')
    case 'unknown encoding':
      return invalidBody('The Content-Encoding is not supported; send gzip, deflate, br or none.', 415)
    case 'broken':
      return invalidBody(
        'The body could not be read: it ended early, or is not compressed as its header says.',
      )
    case 'busy':
      return new BodyError(
        'SERVER_BUSY',
        'Too many large bodies are being received; try again in a few seconds.',
      )
  }
}

/** How long a client may keep sending after a refusal: cut off immediately, it might never read the reason. */
const LINGER_MS = 2000
const LINGER_BYTES = 64 * 1024 * 1024

/** Refuses a body, and discards what still comes: closed on unread bytes, the client would get an error instead. */
export function refuseBody(req: Request, res: Response, layer: string, { status, body }: BodyError): void {
  recordRefusal(res, layer)
  if (status === 503) {
    res.setHeader('Retry-After', '5')
    exposeTo(req, res, ['Retry-After'])
  }
  const shaped = shapedError(res, status, body)
  if (req.complete) {
    sendUncached(res, status, shaped)
    return
  }
  const text = JSON.stringify(shaped, null, 2)
  res.writeHead(status, {
    ...NO_CACHE,
    'Content-Type': res.getHeader('Content-Type') ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  })
  // The whole response: only `end`, on which Node closes the connection, has to wait.
  res.write(text)
  let discarded = 0
  const timer = setTimeout(finish, LINGER_MS)
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > LINGER_BYTES) finish()
  })
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
  if (req.destroyed) finish()

  function finish(): void {
    clearTimeout(timer)
    if (!res.writableEnded) res.end()
  }
}
