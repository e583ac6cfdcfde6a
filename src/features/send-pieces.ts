import type { Response } from 'express'

/** Sends JSON. Without an ETag if there are many pieces: hashing megabytes would block other requests. */
export function sendPieces(res: Response, pieces: readonly Uint8Array[]): void {
  const [only] = pieces
  res.type('json')
  if (only && pieces.length === 1) {
    res.send(Buffer.from(only.buffer, only.byteOffset, only.byteLength))
    return
  }
  res.setHeader(
    'Content-Length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  )
  for (const piece of pieces) res.write(piece)
  res.end()
}
