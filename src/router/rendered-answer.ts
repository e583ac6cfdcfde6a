import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { workInSlices } from '../in-slices.ts'
import { isLong, prettyBytes } from '../storage/pretty-json.ts'
import type { Reading } from './read.ts'

const compress = promisify(gzip)

/** Up to this many characters, Node sends a text in one piece with its headers, which is quicker than bytes. */
const SHORT = 4096

/** Express's `etag fn`. */
type EtagOf = (body: string | Buffer) => string

/** An answer to a read, written out: pretty JSON, as json-server's clients know it. */
export class RenderedAnswer {
  readonly reading: Reading
  readonly body: string | Buffer
  readonly length: number
  readonly etag: string
  #gzip: Promise<Buffer> | undefined

  constructor(reading: Reading, body: string | Buffer, etagOf: EtagOf) {
    this.reading = reading
    this.body = body
    this.length = Buffer.byteLength(body)
    this.etag = etagOf(body)
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

/** Writes an answer out, at once. */
export function renderAtOnce(reading: Reading, etagOf: EtagOf): RenderedAnswer {
  const text = JSON.stringify(reading.data, null, 2)
  return new RenderedAnswer(reading, text.length > SHORT ? Buffer.from(text) : text, etagOf)
}

/** Writes an answer out, a long one in slices. Only for rows that nobody changes in place. */
export function renderAnswer(reading: Reading, etagOf: EtagOf): RenderedAnswer | Promise<RenderedAnswer> {
  if (!isLong(reading.data)) return renderAtOnce(reading, etagOf)
  const body = workInSlices(prettyBytes(reading.data))
  if (!(body instanceof Promise)) return new RenderedAnswer(reading, body, etagOf)
  return body.then((late) => new RenderedAnswer(reading, late, etagOf))
}
