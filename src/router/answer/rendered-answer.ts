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
  #gzip: Promise<Buffer> | undefined

  constructor(reading: Reading, body: string | Buffer, etag: string, type?: string) {
    this.reading = reading
    this.body = body
    this.length = Buffer.byteLength(body)
    this.etag = etag
    this.type = type
  }

  /** The body compressed, off the event loop and only once. */
  gzipped(): Promise<Buffer> {
    this.#gzip ??= compress(this.body).then(inItsOwnMemory)
    this.#gzip.catch(() => {
      this.#gzip = undefined
    })
    return this.#gzip
  }
}

/** What zlib gives is a piece of a larger block, which would be kept as long as any piece of it is. */
function inItsOwnMemory(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Writes a short answer out, at once. */
export function renderAtOnce(reading: Reading, etagOf: EtagOf): RenderedAnswer {
  const text = JSON.stringify(reading.data, null, 2)
  const body = text.length > SHORT ? Buffer.from(text) : text
  return new RenderedAnswer(reading, body, etagOf(body))
}
