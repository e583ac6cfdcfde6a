import type { Reading } from '../read.ts'
import type { WrittenAnswer } from './rendered-answer.ts'

/** A large response, of which only the length and the ETag are kept: it is serialized again as it is sent. */
export class StreamedAnswer implements WrittenAnswer {
  readonly reading: Reading
  readonly length: number
  readonly etag: string
  readonly type: string | undefined
  readonly pieces: () => Iterable<Uint8Array>

  constructor({ reading, length, etag, type }: WrittenAnswer, pieces: () => Iterable<Uint8Array>) {
    this.reading = reading
    this.length = length
    this.etag = etag
    this.type = type
    this.pieces = pieces
  }
}
