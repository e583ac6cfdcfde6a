import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, Response } from 'express'
import { type ErrorBody, type ErrorCode, errorBody, statusOf } from '../../catalogue/errors.ts'
import { BodyRoom, LargeBody } from './body-room.ts'

export type BodyFault = 'too large' | 'unknown encoding' | 'broken' | 'busy'

type BodyDone = (body: Buffer | BodyFault) => void

const SMALL = 64 * 1024

const ROOM = new BodyRoom({ size: 64 * 1024 * 1024, stall: 2000, patience: 5 })

/** Reads and decompresses a body, up to `limit` bytes. Nothing is read if its headers say that it is larger. */
export function readBody(req: Request, res: Response, limit: number, done: BodyDone): void {
  const { headers } = req
  const isPacked = headers['content-encoding'] !== undefined
  // A chunked body has none.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
  if (length !== undefined && length > limit) done('too large')
  else if (!req.readable || req.readableEncoding !== null) done('broken')
  else if (isPacked || length === undefined) void readLarge(req, res, limit, limit).then(done)
  else if (length > SMALL) void readLarge(req, res, limit, length).then(done)
  else readSmall(req, length, done)
}

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

/** Fast path for nearly all bodies: anything more would take as long as the rest of the write. */
function readSmall(req: Request, length: number, done: BodyDone): void {
  const chunks: Buffer[] = []
  let received = 0
  // Otherwise the handlers that follow would run in the async context of the connection, not the request.
  const context = new AsyncResource('body')
  const take = (chunk: Buffer): void => {
    chunks.push(chunk)
    received += chunk.length
  }
  const leave = (): void => context.runInAsyncScope(done, undefined, 'broken')
  req.on('data', take)
  req.once('close', leave)
  req.once('end', () => {
    req.off('data', take)
    req.off('close', leave)
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    context.runInAsyncScope(done, undefined, received === length ? body : 'broken')
  })
}

/** @param size what it may need, in bytes */
async function readLarge(
  req: Request,
  res: Response,
  limit: number,
  size: number,
): Promise<Buffer | BodyFault> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  const stream = DECOMPRESSORS.get(encoding)?.()
  if (!stream && encoding !== 'identity') return 'unknown encoding'
  const body = new LargeBody()
  res.once('close', () => ROOM.leave(body))
  const result = await Promise.race([read(), body.evicted]).catch((): BodyFault => 'broken')
  if (Buffer.isBuffer(result)) ROOM.finish(body)
  else ROOM.leave(body)
  if (stream) {
    req.unpipe(stream)
    stream.on('error', () => {})
    stream.destroy()
  }
  return result

  async function read(): Promise<Buffer | BodyFault> {
    if (stream) await startUnpacking(stream)
    const chunks: Buffer[] = []
    // Not destroyed: the client still has to get its response.
    for await (const chunk of (stream ?? req).iterator({ destroyOnReturn: false })) {
      body.received += chunk.length
      if (body.received > limit) return 'too large'
      chunks.push(chunk)
      if (body.size === 0 && body.received > SMALL) await ROOM.enter(body, size)
      if (body.isGone) return 'busy'
    }
    return Buffer.concat(chunks)
  }

  async function startUnpacking(to: Transform): Promise<void> {
    if (encoding === 'br') {
      // Not before: clients that send only headers would take room from those that send a body.
      await once(req, 'readable')
      await ROOM.enter(body, size + BROTLI_WINDOW)
    }
    req.once('close', () => req.complete || to.destroy(new Error('The body ended early.')))
    req.pipe(to)
  }
}

/** Bytes. A sender may choose it that large, and it is filled before anything comes out. */
const BROTLI_WINDOW = 16 * 1024 * 1024

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

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
    case 'busy':
      return new BodyError(
        'SERVER_BUSY',
        'Too many large bodies are being received; try again in a few seconds.',
      )
  }
}
