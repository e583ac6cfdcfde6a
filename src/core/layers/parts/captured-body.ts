import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { ExchangeBody } from '../../kernel/catalogue/exchange.ts'
import { attempt } from '../../kernel/util/attempt.ts'
import { type MaskedJson, maskForm, maskJson } from './mask-secrets.ts'

/** Characters that are shown. */
const LIMIT = 16 * 1024

/** Bytes of a body that is read, to find what is secret in it: this blocks the event loop. */
const MOST_READ = 256 * 1024

/** A body, captured chunk by chunk as it passes. */
export class CapturedBody {
  readonly #pieces: Buffer[] = []
  #kept = 0
  size = 0

  take(chunk: unknown, encoding?: unknown): void {
    const bytes = chunkBytes(chunk, encoding)
    if (bytes === undefined) return
    this.size += bytes.length
    const room = MOST_READ - this.#kept
    if (room <= 0) return
    // Copied: the sender may reuse the buffer.
    const piece = Buffer.from(bytes.subarray(0, room))
    this.#pieces.push(piece)
    this.#kept += piece.length
  }

  /** A request's body as text with secrets masked; undefined if none. Never decompressed: it is untrusted input. */
  describeRequest(headers: IncomingHttpHeaders): ExchangeBody | undefined {
    const { 'content-encoding': encoding = 'identity' } = headers
    return this.#describe(headers, encoding === 'identity' ? this.#whole() : undefined)
  }

  /** Of a response. Gzip is recognized by its bytes: with compression in front, the header is set on plain bytes. */
  describeResponse(headers: OutgoingHttpHeaders): ExchangeBody | undefined {
    const bytes = this.#whole()
    const isGzip = headers['content-encoding'] === 'gzip' && bytes?.[0] === 0x1f && bytes[1] === 0x8b
    return this.#describe(headers, isGzip ? unpack(bytes) : bytes)
  }

  #whole(): Buffer | undefined {
    return this.size > this.#kept ? undefined : Buffer.concat(this.#pieces)
  }

  /** Type and size only, if it cannot be parsed: there may be secrets in it. */
  #describe(headers: IncomingHttpHeaders | OutgoingHttpHeaders, bytes?: Buffer): ExchangeBody | undefined {
    if (this.size === 0) return undefined
    const { 'content-type': type = '', 'content-encoding': encoding = '' } = headers
    const { size } = this
    const masked = bytes && maskBody(bytes.toString('utf8'), String(type))
    if (masked) {
      const { text, isMasked } = masked
      const isCut = text.length > LIMIT
      return { text: text.slice(0, LIMIT), size, isCut, ...(isMasked && { isMasked }) }
    }
    const [kind = 'no type'] = /^[\w!#$&^./+-]+/.exec(String(encoding || type)) ?? []
    return { text: `(${kind}, ${size} bytes)`, size, isCut: false, isLeftOut: true }
  }
}

/** Undefined if it is broken, or expands to too much. */
function unpack(packed: Buffer): Buffer | undefined {
  return attempt(() => gunzipSync(packed, { maxOutputLength: MOST_READ }))
}

/** JSON, whatever its type is said to be, or a form, with its secrets masked; undefined for anything else. */
export function maskBody(text: string, contentType: string): MaskedJson | undefined {
  const json = /^\s*[{[]/.test(text) || /json/i.test(contentType) ? maskJson(text) : undefined
  if (json || !/urlencoded/i.test(contentType) || !FORM.test(text)) return json
  const masked = maskForm(text)
  return { text: masked, isMasked: masked !== text }
}

const FORM = /^(?:[^\s=&"'{}<>:]+=[^\s&"'{}<>]*(?:&|$))*[^\s=&"'{}<>:]*$/

/** The bytes of what a stream's `write`, `end` or `data` event passes; undefined for anything else. */
export function chunkBytes(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return undefined
  return Buffer.from(chunk, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
}
