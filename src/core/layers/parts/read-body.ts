import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../../kernel/catalogue/errors.ts'

type BodyFault = 'too large' | 'unknown encoding' | 'broken'

/** Reads and decompresses a body, up to `limit` bytes. Nothing is read if its headers say that it is larger. */
export async function readBody(req: Request, limit: number): Promise<Buffer> {
  const { headers } = req
  // A chunked body has none.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  const unpacking = DECOMPRESSORS.get(encoding)?.()
  if (length !== undefined && length > limit) throw unreadBody('too large')
  if (!req.readable || req.readableEncoding !== null) throw unreadBody('broken')
  if (!unpacking && encoding !== 'identity') throw unreadBody('unknown encoding')
  const stream = unpacking ?? req
  const chunks: Buffer[] = []
  let received = 0
  return new Promise((resolve, reject) => {
    const finish = (fault?: BodyFault): void => {
      stream.off('data', take).off('end', finish)
      req.off('close', leave)
      // The error of a stream that is destroyed early still needs a listener.
      if (unpacking)
        req.unpipe(
          unpacking
            .off('error', breakOff)
            .on('error', () => {})
            .destroy(),
        )
      if (fault) reject(unreadBody(fault))
      else resolve(Buffer.concat(chunks))
    }
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      received += chunk.length
      if (received > limit) finish('too large')
    }
    const breakOff = (): void => finish('broken')
    // A packed body that has arrived may still be unpacked.
    const leave = (): void => {
      if (!unpacking || !req.complete) breakOff()
    }
    stream.on('data', take).once('end', finish)
    req.once('close', leave)
    if (unpacking) req.pipe(unpacking.once('error', breakOff))
  })
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
  if (req.readableDidRead) return false
  // Inherited: the placeholder an app gives to writes before their body is read.
  if (!Object.hasOwn(req, 'body')) return true
  const body: unknown = req.body
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

function unreadBody(fault: BodyFault): BodyError {
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
