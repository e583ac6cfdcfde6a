import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import type { Request } from 'express'
import { isObject } from '../../core/kernel/json/values.ts'
import { RequestError } from '../../core/router/request-error.ts'
import { headOf, type PartHead } from './part-head.ts'

/** Of a boundary, by RFC 2046. With longer ones, the parser finds no part, and says nothing. */
const LONGEST_BOUNDARY = 70

/** How long the parser may be silent after the last byte. */
const SILENCE_MS = 2000

/** How long the rest of a refused body is read and thrown away: a client that still sends would not read the refusal. */
const LINGER_MS = 2000

interface ReadOptions {
  /** The most bytes of the body. */
  readonly most: number
  /** Called for one part after the other. If it rejects, nothing more is read. */
  onPart(head: PartHead, bytes: Readable): Promise<void>
}

/** Reads a form part by part. Rejects if it is malformed, too long, or refused by `onPart`. */
export async function readParts(req: Request, { most, onPart }: ReadOptions): Promise<void> {
  const boundary = boundaryIn(req.headers['content-type'])
  if (boundary === undefined) throw malformed('the Content-Type names no boundary of 1 to 70 characters')
  if (req.headers['content-encoding'] !== undefined && req.headers['content-encoding'] !== 'identity')
    throw new RequestError('INVALID_BODY', 'A form with files must be sent without a Content-Encoding.')
  const config = { boundary, autoDestroy: false, maxHeaderPairs: 50, maxHeaderSize: 16 * 1024 }
  const parser = new Dicer(config)
  let received = 0
  let newest: PartHead | undefined
  let queue = Promise.resolve()
  /** Parts that are being read, or wait for that. */
  const streams = new Set<Readable>()
  try {
    await new Promise<void>((resolve, reject) => {
      const tear = () => reject(malformed('it ends early, or is not written as its Content-Type says'))
      const take = async (headers: unknown, part: Readable) => {
        const head = headOf(isObject(headers) ? headers : {})
        if (!head) throw new RequestError('INVALID_BODY', 'A part of the form has no name.')
        newest = head
        streams.add(part)
        queue = queue.then(() => onPart(head, part)).finally(() => streams.delete(part))
        await queue
      }
      parser.on('part', (part) => {
        // A torn part has an error even if nothing reads it yet.
        part.on('error', tear)
        part.once('header', (headers: unknown) => void take(headers, part).catch(reject))
      })
      // The parser may be done before the last part is.
      parser.once('finish', () => void queue.then(resolve, reject)).on('error', tear)
      req.on('data', (chunk: Uint8Array) => {
        received += chunk.byteLength
        if (received > most) reject(tooMuch(most, newest))
      })
      const guard = () => {
        if (streams.size === 0) tear()
        else setTimeout(guard, SILENCE_MS).unref()
      }
      req.once('end', () => setTimeout(guard, SILENCE_MS).unref())
      req.once('close', () => req.complete || tear()).once('error', tear)
      req.pipe(parser)
    })
  } catch (error) {
    req.unpipe(parser)
    throwAway(req)
    // What is being done with a part ends, and nothing more begins.
    for (const part of streams) part.destroy()
    await queue.catch(() => {})
    throw error
  }
}

export function tooMuch(most: number, head?: PartHead): RequestError {
  const at = head ? ` It is passed in the part ${shown(head)}.` : ''
  return new RequestError(
    'BODY_TOO_LARGE',
    `The form is larger than ${most} bytes; send less at a time.${at}`,
  )
}

export function shown({ name }: PartHead): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}

/** Lets a client that still sends read the response. */
export function throwAway(req: Request): void {
  if (req.complete) return
  req.resume()
  const timer = setTimeout(() => req.complete || req.socket.destroy(), LINGER_MS).unref()
  req.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
}

function malformed(why: string): RequestError {
  return new RequestError('MALFORMED_FORM', `The form could not be read: ${why}. Nothing was changed.`)
}

function boundaryIn(type = ''): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = quoted ?? bare
  return boundary !== undefined && boundary.length <= LONGEST_BOUNDARY ? boundary : undefined
}
