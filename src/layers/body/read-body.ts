import { AsyncResource } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import { BodyRoom, type Guest } from './body-room.ts'
import { isPacked, unpacker } from './unpack.ts'

/** What keeps a body from being read. */
export type BodyFault = 'too large' | 'unknown encoding' | 'broken' | 'busy'

export type BodyDone = (body: Buffer | BodyFault) => void

/** What nearly all bodies are smaller than. */
const SMALL = 64 * 1024

/** For all bodies of this process that are larger than that. */
const ROOM = new BodyRoom({ size: 64 * 1024 * 1024, patience: 10_000, stall: 2000 })

/**
 * Reads a body, and unpacks it. Goes no further than `limit` bytes, and not even there where its headers say that it
 * is larger: then there may be more of it to come.
 */
export function readBody(req: Request, res: Response, limit: number, done: BodyDone, room = ROOM): void {
  const length = lengthOf(req)
  if (length !== undefined && length > limit) done('too large')
  else if (!req.readable || req.readableEncoding !== null) done('broken')
  else if (isPacked(req) || length === undefined || length > SMALL) readLarge(req, res, limit, done, room)
  else readSmall(req, length, done)
}

/** Most requests bring no body, and cost nothing here. */
export function hasBody({ headers }: Request): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Express 4's parsers leave `{}` behind even where they did not read; anything else is somebody's work. */
export function isUnread(req: Request): boolean {
  const body: unknown = req.body
  if (req.readableDidRead) return false
  // Inherited from an app that gives writes something to write on before they are read.
  if (!Object.hasOwn(req, 'body')) return true
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
}

/** How many bytes will come; undefined where only their end tells. */
function lengthOf({ headers }: Request): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : undefined
}

/** What nearly everybody sends, in the shortest way: anything more takes as long as all the rest of a write. */
function readSmall(req: Request, length: number, done: BodyDone): void {
  const chunks: Buffer[] = []
  let received = 0
  // Else whoever goes on afterwards would do so in the context of the connection, not of the request.
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
  // Not before: those who send nothing but headers would take the room of those who send a body.
  const begin = (): void => {
    if (stream) req.pipe(stream)
    // Where there is no room, nothing is unpacked, and none is taken from others.
    hold(0)
    if (isHeldUp) return
    isBegun = true
    hold(unpacked.memory)
  }
  const end = (): void => finish(Buffer.concat(chunks))
  const fail = (): void => finish('broken')
  const finish = (body: Buffer | BodyFault): void => {
    // A connection that breaks says so more than once.
    if (isDone) return
    isDone = true
    source.off('data', take).off('end', end).off('error', fail)
    req.off('close', fail).off('error', fail).off('readable', begin)
    if (guest && Buffer.isBuffer(body)) room.finish(guest)
    else if (guest) room.leave(guest)
    if (stream) drop(req, stream)
    // Others of the room still know this reader, and all it can reach.
    chunks.length = 0
    context.runInAsyncScope(done, undefined, body)
  }
  source.on('data', take).once('end', end).once('error', fail)
  req.once('close', source === req ? fail : leaveUnlessComplete).once('error', fail)
  if (stream) req.once('readable', begin)
  res.once('close', () => guest && room.leave(guest))

  /** All that was packed may be there, and still wait to be unpacked. */
  function leaveUnlessComplete(): void {
    if (!req.complete) fail()
  }
}

/** Leaves what is still to come to whoever answers. */
function drop(req: Request, stream: Readable & NodeJS.WritableStream): void {
  req.unpipe(stream)
  stream.on('error', () => {})
  stream.destroy()
}
