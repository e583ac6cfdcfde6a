import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
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
    this.#gzip ??= compress(this.body)
    this.#gzip.catch(() => {
      this.#gzip = undefined
    })
    return this.#gzip
  }
}

/**
 * Answers by their URL or by what it means, those used last, in at most so many bytes. An answer is only given out while the data it was
 * made from is still the data.
 */
export class AnswerCache {
  readonly #answers = new Map<string, RenderedAnswer>()
  readonly #limit: number
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What the kept answers take, compressed copies and bookkeeping estimated. */
  get size(): number {
    return this.#size
  }

  get(key: string): RenderedAnswer | undefined {
    const answer = this.#answers.get(key)
    if (!answer) return undefined
    if (!answer.reading.isCurrent()) {
      this.#remove(key)
      return undefined
    }
    if (this.#size > this.#limit / 2) this.#moveToEnd(key, answer)
    return answer
  }

  set(key: string, answer: RenderedAnswer): void {
    const cost = costOf(key, answer)
    if (cost > this.#limit / 4) return
    this.#remove(key)
    this.#answers.set(key, answer)
    this.#size += cost
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= this.#limit) return
      this.#remove(oldest)
    }
  }

  clear(): void {
    this.#answers.clear()
    this.#size = 0
  }

  /** The one used last stands last. While there is room for all, nobody asks. */
  #moveToEnd(key: string, answer: RenderedAnswer): void {
    this.#answers.delete(key)
    this.#answers.set(key, answer)
  }

  #remove(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#size -= costOf(key, answer)
  }
}

/** The body, a compressed copy of about a third of it, the key, and what objects around them take. */
function costOf(key: string, { length }: RenderedAnswer): number {
  return Math.ceil(length * 1.4) + key.length * 2 + 500
}
