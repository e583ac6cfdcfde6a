import { Buffer } from 'node:buffer'
import { constants, gunzipSync } from 'node:zlib'
import type { ExchangeBody } from '../exchange.ts'
import { maskJson } from './_mask-json.ts'
import { maskForm } from './_secrets.ts'

/** Bytes kept of a body. */
const LIMIT = 16 * 1024

/** The beginning of a body, taken piece by piece as it passes. */
export class CapturedBody {
  readonly #pieces: Buffer[] = []
  #kept = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Takes what a stream's `write`, `end` or `data` event hands over; anything else is none of a body. */
  take(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding)
    if (bytes === undefined) return
    this.#size += bytes.length
    const room = LIMIT - this.#kept
    if (room <= 0) return
    // Copied: the sender may fill the same memory again.
    const piece = Buffer.from(bytes.subarray(0, room))
    this.#pieces.push(piece)
    this.#kept += piece.length
  }

  /** As text with secrets masked; undefined where there was no body. */
  describe(contentType: string, encoding: string | undefined): ExchangeBody | undefined {
    if (this.#size === 0) return undefined
    const isCut = this.#size > this.#kept
    return { text: this.#text(contentType, encoding), size: this.#size, isCut }
  }

  #text(contentType: string, encoding: string | undefined): string {
    if (encoding !== undefined && encoding !== 'identity') return `(${encoding}, ${this.#size} bytes)`
    if (!TEXT.test(contentType)) return `(${contentType}, ${this.#size} bytes)`
    const text = readable(Buffer.concat(this.#pieces)).toString('utf8')
    // JSON arrives as a form as well: `curl -d` says so.
    return contentType.includes('urlencoded') && !/^\s*[{[]/.test(text) ? maskForm(text) : maskJson(text)
  }
}

/** An answer that was compressed before it came by, or the beginning of one. */
function readable(bytes: Buffer): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return isGzip ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, LIMIT) : bytes
}

const TEXT = /^$|^text\/|json|urlencoded|xml|javascript/i

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return undefined
  const known = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8'
  return Buffer.from(chunk, known)
}
