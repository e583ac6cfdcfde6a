import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { Pace } from '../../work/pace.ts'
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

/** Streams a response as fast as the client reads it. Its headers are set, except those about its length. */
export async function streamAnswer(
  req: Request,
  res: Response,
  answer: StreamedAnswer,
  isCompressed: boolean,
): Promise<void> {
  if (isCompressed) res.setHeader('Content-Encoding', 'gzip')
  else res.setHeader('Content-Length', answer.length)
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const pieces = Readable.from(paced(answer.pieces()), { objectMode: false, highWaterMark: 1 })
  try {
    if (isCompressed) await pipeline(pieces, createGzip(), res)
    else await pipeline(pieces, res)
  } catch (error) {
    // Stream and system errors have a code: the client is gone and needs no response.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** With pauses: a client that reads fast must not keep others waiting. */
async function* paced(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const pace = new Pace()
  for (const piece of pieces) {
    yield piece
    if (pace.isDue) await pace.turn()
  }
}
