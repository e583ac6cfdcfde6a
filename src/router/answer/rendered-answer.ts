import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reading } from '../read.ts'

const compress = promisify(gzip)

/** Up to this many characters, Node sends a text in one piece with its headers, which is quicker than bytes. */
const SHORT = 4096

/** Express's `etag fn`. */
type EtagOf = (body: string | Buffer) => string

/** What is known of every answer that was written out. */
export interface WrittenAnswer {
  readonly reading: Reading
  /** In bytes. */
  readonly length: number
  readonly etag: string
  /** Where it is not JSON. */
  readonly type?: string | undefined
}

/** An answer to a read, written out: pretty JSON, as json-server's clients know it. */
export class RenderedAnswer implements WrittenAnswer {
  readonly reading: Reading
  readonly body: string | Buffer
  readonly length: number
  readonly etag: string
  readonly type: string | undefined
  /** The key in the cache, as long as it is there. */
  keptAs: string | undefined
  #gzip: Promise<Buffer> | undefined
  #gzipLength = 0

  constructor(reading: Reading, body: string | Buffer, etag: string, type?: string) {
    this.reading = reading
    this.body = body
    this.length = Buffer.byteLength(body)
    this.etag = etag
    this.type = type
  }

  /** Bytes that it takes: body, compressed copy, and the list that holds its rows, which belong to the data. */
  get memory(): number {
    const { body, length, reading } = this
    // A string takes two bytes for each character where any of them is beyond Latin-1.
    const isWide = typeof body === 'string' && body.length !== length
    return (isWide ? body.length * 2 : length) + this.#gzipLength + listSizeOf(reading)
  }

  /** The body compressed, off the event loop and only once. */
  gzipped(): Promise<Buffer> {
    this.#gzip ??= this.#compress()
    return this.#gzip
  }

  async #compress(): Promise<Buffer> {
    try {
      const bytes = inItsOwnMemory(await compress(this.body))
      this.#gzipLength = bytes.length
      return bytes
    } catch (error) {
      this.#gzip = undefined
      throw error
    }
  }
}

/** Relations are lists of rows as well. */
function listSizeOf(reading: Reading): number {
  if (reading.joined) return reading.joined.length * 24
  return Array.isArray(reading.data) ? reading.data.length * 8 : 0
}

/** What zlib gives is a piece of a larger block, which would be kept as long as any piece of it is. */
function inItsOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Writes a short answer out. */
export function renderAtOnce(reading: Reading, etagOf: EtagOf): RenderedAnswer {
  const text = JSON.stringify(reading.data, null, 2)
  const body = text.length > SHORT ? Buffer.from(text) : text
  return new RenderedAnswer(reading, body, etagOf(body))
}
