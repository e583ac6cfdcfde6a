import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { paced } from '../../work/in-slices.ts'
import type { StreamedAnswer } from './streamed-answer.ts'

/** Sends an answer piece by piece, as fast as the client takes it. Its headers are set but for those of its length. */
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
    // Streams and the system have a code for a client that went away, who needs no answer.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}
