import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
} from 'node:zlib'
import type { Request, Response } from 'express'

/** An answer that may be kept. */
export function isKeepable({ statusCode = 0, headers }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? ''
  const isJson = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i.test(type)
  return isJson && statusCode >= 200 && statusCode < 300 && statusCode !== 206
}

/**
 * Streams an answer to the client, but for its last bytes: those wait until what arrived is kept. The client need not wait
 * for bodies over the limit.
 * @param keep called with a whole body
 */
export function captureAnswer(
  answer: IncomingMessage,
  res: Transform | Response,
  limit: number,
  keep: (body: Buffer) => Promise<void>,
): void {
  let chunks: Buffer[] | undefined = []
  let size = 0
  let held: Buffer | undefined
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks = undefined
    chunks?.push(chunk)
    if (held && !res.write(held)) {
      answer.pause()
      res.once('drain', () => answer.resume())
    }
    held = chunk
  })
  answer.on('end', () => {
    const kept = chunks && answer.complete ? keep(Buffer.concat(chunks)) : Promise.resolve()
    void kept.finally(() => res.end(held))
  })
}

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Unpacks an answer for a client that did not ask for it packed, where this server did. */
export function unpacker(req: Request, { statusCode, headers }: IncomingMessage): Transform | undefined {
  const name = headers['content-encoding']?.toLowerCase() ?? ''
  const accepted = String(req.headers['accept-encoding'] ?? '').toLowerCase()
  const isEmpty = req.method === 'HEAD' || statusCode === 204 || statusCode === 304
  return isEmpty || accepted.includes(name) || accepted.includes('*') ? undefined : UNPACKERS.get(name)?.()
}

/** The text of a body; undefined if it cannot be read, or is over the limit. */
export async function decodedText(
  body: Buffer,
  { 'content-encoding': encoding = 'identity' }: IncomingMessage['headers'],
  limit: number,
): Promise<string | undefined> {
  const decode = DECODERS.get(encoding.toLowerCase())
  if (encoding.toLowerCase() === 'identity') return body.toString('utf8')
  return decode?.(body, { maxOutputLength: limit }).then(
    (plain) => plain.toString('utf8'),
    () => undefined,
  )
}

interface ReadBody {
  readonly whole?: Buffer
  readonly begin?: Buffer
}

/**
 * The JSON that a request brings, of at most `limit` bytes; or else what was read of it, with the rest still to come.
 * Undefined if the client has left.
 */
export async function readJsonBody(req: Request, limit: number): Promise<ReadBody | undefined> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = req.headers
  const isJson = /\bjson\b/i.test(type) && encoding === undefined
  if (!isJson || Number(length ?? 0) > limit || req.readableDidRead) return {}
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const leave = () => resolve(undefined)
    const done = (isWhole: boolean) => {
      req.off('data', take).off('end', end).off('close', leave)
      const read = Buffer.concat(chunks)
      resolve(isWhole ? { whole: read } : { begin: read })
    }
    const end = () => done(true)
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= limit) return
      req.pause()
      done(false)
    }
    req.on('data', take).once('end', end).once('close', leave)
  })
}
