import type { Reading } from '../read.ts'
import type { WrittenAnswer } from './rendered-answer.ts'

/** A large answer, of which only its length and its ETag are kept: it is written out again as it leaves. */
export class StreamedAnswer implements WrittenAnswer {
  readonly reading: Reading
  readonly length: number
  readonly etag: string
  readonly type: string | undefined
  readonly #pieces: () => Iterable<Uint8Array>

  constructor({ reading, length, etag, type }: WrittenAnswer, pieces: () => Iterable<Uint8Array>) {
    this.reading = reading
    this.length = length
    this.etag = etag
    this.type = type
    this.#pieces = pieces
  }

  /** Throws at the end when they are not what they were: others may have got hold of the rows meanwhile. */
  *pieces(): Generator<Uint8Array, void> {
    let length = 0
    for (const piece of this.#pieces()) {
      length += piece.length
      if (length <= this.length) yield piece
    }
    if (length !== this.length) throw new Error('The data was changed in place while an answer was sent.')
  }
}
