import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, Response } from 'express'
import { BodyRoom, Guest } from './body-room.ts'

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
  else if (isPacked || length === undefined || length > SMALL)
    void readLarge(req, res, limit, room).then(done)
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

async function readLarge(
  req: Request,
  res: Response,
  limit: number,
  room: BodyRoom,
): Promise<Buffer | BodyFault> {
  const unpacked = unpacker(req)
  if (unpacked === undefined) return 'unknown encoding'
  const { stream, memory } = unpacked
  const guest = new Guest()
  res.once('close', () => room.leave(guest))
  const body = await Promise.race([read(), guest.lost]).catch((): BodyFault => 'broken')
  if (Buffer.isBuffer(body)) room.finish(guest)
  else room.leave(guest)
  if (stream) drop(req, stream)
  return body

  async function read(): Promise<Buffer | BodyFault> {
    if (stream) await startUnpacking(stream)
    const chunks: Buffer[] = []
    let received = 0
    let counted = 0
    // Not destroyed: the client still has to get its response.
    for await (const chunk of (stream ?? req).iterator({ destroyOnReturn: false })) {
      received += chunk.length
      if (received > limit) return 'too large'
      chunks.push(chunk)
      if (received <= SMALL) continue
      await room.take(guest, received - counted)
      counted = received
      if (guest.isGone) return 'busy'
    }
    return Buffer.concat(chunks)
  }

  async function startUnpacking(to: Transform): Promise<void> {
    // Not before: clients that send only headers would take room from those that send a body.
    await once(req, 'readable')
    // Without room, nothing is decompressed, and none is taken from others.
    await room.take(guest, 0)
    await room.take(guest, memory)
    req.once('close', () => req.complete || to.destroy(new Error('The body ended early.')))
    req.pipe(to)
  }
}

function drop(req: Request, stream: Transform): void {
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
