import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { constants, gunzipSync } from 'node:zlib'
import type { ExchangeBody } from '../../catalogue/exchange.ts'
import { isJson, isStructure, maskForm, maskJson, maskText } from './mask-secrets.ts'

const LIMIT = 16 * 1024

/** Most bytes to decompress: gzip expands up to a thousandfold, and blocks the event loop meanwhile. */
const MOST_UNPACKED = 1024 * 1024

/** The start of a body, captured chunk by chunk as it passes. */
export class CapturedBody {
  readonly #pieces: Buffer[] = []
  #kept = 0
  size = 0

  take(chunk: unknown, encoding?: unknown): void {
    const bytes = chunkBytes(chunk, encoding)
    if (bytes === undefined) return
    this.size += bytes.length
    const room = LIMIT - this.#kept
    if (room <= 0) return
    // Copied: the sender may reuse the buffer.
    const piece = Buffer.from(bytes.subarray(0, room))
    this.#pieces.push(piece)
    this.#kept += piece.length
  }

  /** A request's body as text with secrets masked; undefined if none. Never decompressed: it is untrusted input. */
  describeRequest(headers: IncomingHttpHeaders): ExchangeBody | undefined {
    const { 'content-encoding': encoding = 'identity' } = headers
    return this.#describe(headers, encoding === 'identity' ? this.#beginning() : undefined)
  }

  /** Of a response. Gzip is recognized by its bytes: with compression in front, the header is set on plain bytes. */
  describeResponse(headers: OutgoingHttpHeaders): ExchangeBody | undefined {
    const bytes = this.#beginning()
    const isGzip = headers['content-encoding'] === 'gzip' && bytes[0] === 0x1f && bytes[1] === 0x8b
    return this.#describe(headers, isGzip ? unpack(bytes) : bytes)
  }

  #beginning(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** Type and size only, if there may be secrets that cannot be found. */
  #describe(headers: IncomingHttpHeaders | OutgoingHttpHeaders, bytes?: Buffer): ExchangeBody | undefined {
    if (this.size === 0) return undefined
    const { 'content-type': type = '', 'content-encoding': encoding = '' } = headers
    const contentType = String(type)
    const counted = { size: this.size, isCut: this.size > this.#kept }
    const text = bytes?.toString('utf8')
    const masked = text === undefined ? undefined : maskBody(text, contentType)
    if (masked !== undefined) return { text: masked, ...counted, ...(masked !== text && { isMasked: true }) }
    const [kind = 'no type'] = /^[\w!#$&^./+-]+/.exec(bytes ? contentType : String(encoding)) ?? []
    return { text: `(${kind}, ${this.size} bytes)`, ...counted, isLeftOut: true }
  }
}

/** Decompresses the start of a possibly truncated gzip stream; undefined if it is broken. */
function unpack(packed: Buffer): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_UNPACKED }
  try {
    return gunzipSync(packed, options).subarray(0, LIMIT)
  } catch (error) {
    const isTooMuch = error instanceof RangeError && packed.length > 1
    // Half of the input may fit, and only the start of the output is needed.
    return isTooMuch ? unpack(packed.subarray(0, packed.length >> 1)) : undefined
  }
}

/** JSON, whatever its type is said to be, or a form, with its secrets masked; undefined for anything else. */
export function maskBody(text: string, contentType: string): string | undefined {
  if (isStructure(text) || (/json/i.test(contentType) && isJson(text))) return maskJson(text, maskText)
  return /urlencoded/i.test(contentType) && FORM.test(text) ? maskForm(text) : undefined
}

const FORM = /^(?:[^\s=&"'{}<>:]+=[^\s&"'{}<>]*(?:&|$))*[^\s=&"'{}<>:]*$/

/** The bytes of what a stream's `write`, `end` or `data` event passes; undefined for anything else. */
export function chunkBytes(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return undefined
  return Buffer.from(chunk, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
}
