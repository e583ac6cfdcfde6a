import { AsyncResource } from 'node:async_hooks'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../../kernel/catalogue/errors.ts'

export type BodyFault = 'too large' | 'unknown encoding' | 'broken'

/** Reads and decompresses a body, up to `limit` bytes. Nothing is read if its headers say that it is larger. */
export function readBody(req: Request, limit: number, done: (body: Buffer | BodyFault) => void): void {
  const { headers } = req
  // A chunked body has none.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  const unpacking = DECOMPRESSORS.get(encoding)?.()
  if (length !== undefined && length > limit) done('too large')
  else if (!req.readable || req.readableEncoding !== null) done('broken')
  else if (!unpacking && encoding !== 'identity') done('unknown encoding')
  else readStream(req, unpacking, limit, done)
}

function readStream(
  req: Request,
  unpacking: Transform | undefined,
  limit: number,
  done: (body: Buffer | BodyFault) => void,
): void {
  const stream = unpacking ?? req
  const chunks: Buffer[] = []
  let received = 0
  // Otherwise the handlers that follow would run in the async context of the connection, not the request.
  const context = new AsyncResource('body')
  const finish = (result: Buffer | BodyFault): void => {
    stream.off('data', take).off('end', end)
    req.off('close', leave)
    // The error of a stream that is destroyed early still needs a listener.
    if (unpacking)
      req.unpipe(
        unpacking
          .off('error', breakOff)
          .on('error', () => {})
          .destroy(),
      )
    context.runInAsyncScope(done, undefined, result)
  }
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    received += chunk.length
    if (received > limit) finish('too large')
  }
  const end = (): void => {
    const [first] = chunks
    finish(chunks.length === 1 && first ? first : Buffer.concat(chunks))
  }
  const breakOff = (): void => finish('broken')
  // A packed body that has arrived may still be unpacked.
  const leave = (): void => {
    if (!unpacking || !req.complete) breakOff()
  }
  stream.on('data', take).once('end', end)
  req.once('close', leave)
  if (unpacking) req.pipe(unpacking.once('error', breakOff))
}

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

export function hasBody({ headers }: Request): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Express 4 parsers leave `{}` behind even if they read nothing; anything else was parsed. */
export function isUnread(req: Request): boolean {
  const body: unknown = req.body
  if (req.readableDidRead) return false
  // Inherited: the placeholder an app gives to writes before their body is read.
  if (!Object.hasOwn(req, 'body')) return true
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
}

/** Why a body is refused. */
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
  }
}
