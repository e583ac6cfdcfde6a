import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { TimeSlice } from '../../kernel/util/pace.ts'
import type { RenderableResult } from '../read.ts'

/** A large response, serialized while it is sent: without a length or an ETag. */
export interface StreamedResponse {
  readonly reading: RenderableResult
  readonly pieces: () => Iterable<Uint8Array>
  readonly type: string | undefined
}

export async function streamResponse(
  req: Request,
  res: Response,
  response: StreamedResponse,
  isCompressed: boolean,
): Promise<void> {
  if (isCompressed) res.setHeader('Content-Encoding', 'gzip')
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const pieces = Readable.from(paced(response.pieces()), { objectMode: false, highWaterMark: 1 })
  try {
    if (isCompressed) await pipeline(pieces, createGzip(), res)
    else await pipeline(pieces, res)
  } catch (error) {
    // Stream and system errors have a code: the client has disconnected.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Yields to the event loop even if the client reads fast. */
async function* paced(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const pace = new TimeSlice()
  for (const piece of pieces) {
    yield piece
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
}
