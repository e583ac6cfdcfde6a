import type { Request, Response } from 'express'
import type { ErrorBody } from '../../errors.ts'

/** How long a client may keep sending after a refusal: cut off immediately, it might never read why. */
const LINGER_MS = 2000
/** And how much. */
const LINGER_BYTES = 64 * 1024 * 1024

/**
 * Refuses a request immediately, even if more of it is still coming, and closes the connection. The rest is discarded
 * for a moment: if a connection is closed on unread bytes, its client gets an error instead of the response.
 */
export function refuseUnread(
  req: Request,
  res: Response,
  layer: string,
  status: number,
  body: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.locals) res.locals.refusedBy = layer
  const text = JSON.stringify(body, null, 2)
  res.writeHead(status, {
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
    Expires: '-1',
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  })
  // The whole response: only `end`, on which Node closes the connection, has to wait.
  res.write(text)
  let thrownAway = 0
  const timer = setTimeout(finish, LINGER_MS)
  req.on('data', (chunk: Buffer) => {
    thrownAway += chunk.length
    if (thrownAway > LINGER_BYTES) finish()
  })
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
  if (req.destroyed) finish()

  function finish(): void {
    clearTimeout(timer)
    if (!res.writableEnded) res.end()
  }
}
