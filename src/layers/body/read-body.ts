import { AsyncResource } from 'node:async_hooks'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, Response } from 'express'
import { BodyRoom, type Guest } from './body-room.ts'

export type BodyFault = 'too large' | 'unknown encoding' | 'broken' | 'busy'

type BodyDone = (body: Buffer | BodyFault) => void

const SMALL = 64 * 1024

const ROOM = new BodyRoom({ size: 64 * 1024 * 1024, patience: 10_000, stall: 2000 })

/** Reads and decompresses a body, up to `limit` bytes. Nothing is read if its headers say that it is larger. */
export function readBody(req: Request, res: Response, limit: number, done: BodyDone, room = ROOM): void {
  const { headers } = req
  const isPacked = headers['content-encoding'] !== undefined
  // A chunked body has none.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
  if (length !== undefined && length > limit) done('too large')
  else if (!req.readable || req.readableEncoding !== null) done('broken')
  else if (isPacked || length === undefined || length > SMALL) readLarge(req, res, limit, done, room)
  else readSmall(req, length, done)
}

/** Most requests have no body, and cost nothing here. */
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

function readLarge(req: Request, res: Response, limit: number, done: BodyDone, room: BodyRoom): void {
  const unpacked = unpacker(req)
  if (unpacked === undefined) {
    done('unknown encoding')
    return
  }
  const { stream } = unpacked
  const source: Readable = stream ?? req
  const context = new AsyncResource('body')
  const chunks: Buffer[] = []
  let received = 0
  let guest: Guest | undefined
  let isDone = false
  let isHeldUp = false
  let isBegun = unpacked.memory === 0

  const hold = (bytes: number): void => {
    guest ??= room.enter({
      pause: () => {
        isHeldUp = true
        if (stream) req.unpipe(stream)
        source.pause()
      },
      resume: () => {
        isHeldUp = false
        source.resume()
        if (!isBegun) begin()
        else if (stream && !req.readableEnded) req.pipe(stream)
      },
      giveUp: () => finish('busy'),
    })
    room.take(guest, bytes)
  }
  const take = (chunk: Buffer): void => {
    received += chunk.length
    if (received > limit) finish('too large')
    else {
      chunks.push(chunk)
      if (guest) hold(chunk.length)
      else if (received > SMALL) hold(received)
    }
  }
  // Not before: clients that send only headers would take room from those that send a body.
  const begin = (): void => {
    if (stream) req.pipe(stream)
    // Without room, nothing is decompressed, and none is taken from others.
    hold(0)
    if (isHeldUp) return
    isBegun = true
    hold(unpacked.memory)
  }
  const end = (): void => finish(Buffer.concat(chunks))
  const fail = (): void => finish('broken')
  const finish = (body: Buffer | BodyFault): void => {
    // A broken connection emits more than one event.
    if (isDone) return
    isDone = true
    source.off('data', take).off('end', end).off('error', fail)
    req.off('close', fail).off('error', fail).off('readable', begin)
    if (guest && Buffer.isBuffer(body)) room.finish(guest)
    else if (guest) room.leave(guest)
    if (stream) drop(req, stream)
    // The room may still reference this reader, and everything it can reach.
    chunks.length = 0
    context.runInAsyncScope(done, undefined, body)
  }
  source.on('data', take).once('end', end).once('error', fail)
  req.once('close', source === req ? fail : leaveUnlessComplete).once('error', fail)
  if (stream) req.once('readable', begin)
  res.once('close', () => guest && room.leave(guest))

  /** The compressed body may be complete, but not yet decompressed. */
  function leaveUnlessComplete(): void {
    if (!req.complete) fail()
  }
}

function drop(req: Request, stream: Readable & NodeJS.WritableStream): void {
  req.unpipe(stream)
  stream.on('error', () => {})
  stream.destroy()
}

interface Unpacker {
  readonly stream?: Transform
  /** Bytes the decompressor itself may allocate once data arrives. */
  readonly memory: number
}

/** Undefined for an unsupported encoding. */
function unpacker({ headers }: Request): Unpacker | undefined {
  switch ((headers['content-encoding'] ?? 'identity').toLowerCase()) {
    case 'identity':
      return { memory: 0 }
    case 'gzip':
      return { stream: createGunzip(), memory: 64 * 1024 }
    case 'deflate':
      return { stream: createInflate(), memory: 64 * 1024 }
    case 'br':
      // The window size a sender may choose: it is filled before anything comes out.
      return { stream: createBrotliDecompress(), memory: 16 * 1024 * 1024 }
    default:
      return undefined
  }
}

const UTF_8 = new TextDecoder()

/** Decodes a body by the charset in its content type; undefined if that is not a Unicode charset. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (/^utf-8$/i.test(charset)) return UTF_8.decode(bytes)
  try {
    return /^utf-/i.test(charset) ? new TextDecoder(charset).decode(bytes) : undefined
  } catch {
    return undefined
  }
}
