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

/** A body that has passed: if it was one chunk, that chunk. */
export type PassedBody = CapturedBody | Uint8Array | string

/** A body, captured chunk by chunk as it passes: all of it, or of a long one only its size. */
export class CapturedBody {
  #pieces: Buffer[] = []
  size = 0

  take(chunk: unknown, encoding?: unknown): void {
    const bytes = chunkBytes(chunk, encoding)
    if (bytes === undefined) return
    this.size += bytes.length
    // Copied: the sender may reuse the buffer.
    if (this.size <= MOST_READ) this.#pieces.push(Buffer.from(bytes))
    else this.#pieces = []
  }

  whole(): Buffer | undefined {
    return this.kept < this.size ? undefined : Buffer.concat(this.#pieces)
  }

  get kept(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0)
  }
}

/** A body that is sent in one go: not copied. */
export function passedBody(chunk: unknown, encoding?: unknown): PassedBody | undefined {
  const isText = typeof chunk === 'string' && (typeof encoding !== 'string' || /^utf-?8$/i.test(encoding))
  const body = isText ? chunk : chunkBytes(chunk, encoding)
  return body === undefined || body.length <= MOST_READ ? body : withoutBytes(body)
}

/** A body of which only the size is known. */
export function withoutBytes(body: PassedBody): PassedBody {
  const empty = new CapturedBody()
  empty.size = sizeOf(body)
  return empty
}

/** Bytes in memory. */
export function keptOf(body: PassedBody | undefined): number {
  return body instanceof CapturedBody ? body.kept : (body?.length ?? 0)
}

/** Its full size in bytes. */
export function sizeOf(body: PassedBody | undefined): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof CapturedBody ? body.size : (body?.length ?? 0)
}

/** A request's body as text with secrets masked; undefined if none. Never decompressed: it is untrusted input. */
export function describeRequestBody(body: PassedBody | undefined, headers: IncomingHttpHeaders) {
  const { 'content-encoding': encoding = 'identity' } = headers
  return describe(body, headers, encoding === 'identity' ? wholeOf(body) : undefined)
}

/** Of a response. Gzip is recognized by its bytes: with compression in front, the header is set on plain bytes. */
export function describeResponseBody(body: PassedBody | undefined, headers: OutgoingHttpHeaders) {
  const bytes = wholeOf(body)
  const isGzip = headers['content-encoding'] === 'gzip' && bytes?.[0] === 0x1f && bytes[1] === 0x8b
  return describe(body, headers, isGzip ? unpack(bytes) : bytes)
}

function wholeOf(body: PassedBody | undefined): Buffer | undefined {
  if (body instanceof CapturedBody) return body.whole()
  return typeof body === 'string'
    ? Buffer.from(body)
    : body && Buffer.from(body.buffer, body.byteOffset, body.length)
}

/** Type and size only, if it cannot be parsed: there may be secrets in it. */
function describe(
  body: PassedBody | undefined,
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  bytes: Buffer | undefined,
): ExchangeBody | undefined {
  const size = sizeOf(body)
  if (size === 0) return undefined
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = headers
  const masked = bytes && maskBody(bytes.toString('utf8'), String(type))
  if (masked) {
    const { text, isMasked } = masked
    const isCut = text.length > LIMIT
    return { text: text.slice(0, LIMIT), size, isCut, ...(isMasked && { isMasked }) }
  }
  const [kind = 'no type'] = /^[\w!#$&^./+-]+/.exec(String(encoding || type)) ?? []
  return { text: `(${kind}, ${size} bytes)`, size, isCut: false, isLeftOut: true }
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
