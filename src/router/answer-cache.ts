import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { BoundedCache } from './bounded-cache.ts'
import type { Reading } from './read.ts'

const compress = promisify(gzip)

/** Up to this many characters, Node sends a text in one piece with its headers, which is quicker than bytes. */
const SHORT = 4096

/** An answer to a read, written out: pretty JSON, as json-server's clients know it. */
export class RenderedAnswer {
  readonly reading: Reading
  readonly body: string | Buffer
  readonly length: number
  readonly etag: string
  #gzip: Promise<Buffer> | undefined

  constructor(reading: Reading, etagOf: (body: string | Buffer) => string) {
    this.reading = reading
    const text = JSON.stringify(reading.data, null, 2)
    this.body = text.length > SHORT ? Buffer.from(text) : text
    this.length = Buffer.byteLength(this.body)
    this.etag = etagOf(this.body)
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

/** Answers by their URL or by what it means. One is only given out while the data it was made from is still the data. */
export class AnswerCache {
  readonly #answers: BoundedCache<RenderedAnswer>

  constructor(limit: number) {
    this.#answers = new BoundedCache(limit, costOf)
  }

  /** What the kept answers take, compressed copies and bookkeeping estimated. */
  get size(): number {
    return this.#answers.size
  }

  get(key: string): RenderedAnswer | undefined {
    const answer = this.#answers.get(key)
    if (answer === undefined || answer.reading.isCurrent()) return answer
    this.#answers.delete(key)
    return undefined
  }

  set(key: string, answer: RenderedAnswer): void {
    this.#answers.set(key, () => answer)
  }

  clear(): void {
    this.#answers.clear()
  }
}

/** The body, a compressed copy (most are far smaller), the key, and what objects around them take. */
function costOf(key: string, { body, length }: RenderedAnswer): number {
  return Math.ceil(length * 0.6) + memoryOf(body) + key.length * 2 + 900
}

/** In bytes. A text takes one for each letter, or two where any of them is beyond Latin-1. */
export function memoryOf(body: string | Buffer): number {
  if (typeof body !== 'string') return body.length
  return Buffer.byteLength(body) === body.length ? body.length : body.length * 2
}
