import type { IncomingMessage } from 'node:http'

/** How long a client may keep sending after the response: cut off immediately, it might never read the response. */
const LINGER_MS = 2000

/** The newest request with a body on a connection. */
const newest = new WeakMap<IncomingMessage['socket'], IncomingMessage>()

/**
 * Where a connection closes after the response, reads the rest of the request's body first: closed on unread
 * bytes, the client would get an error instead of the response.
 */
export function closeWhenRead(req: IncomingMessage): void {
  const { socket, headers } = req
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  if (!newest.has(socket)) delayClose(socket)
  newest.set(socket, req)
}

function delayClose(socket: IncomingMessage['socket']): void {
  const { destroySoon } = socket
  socket.destroySoon = () => {
    const req = newest.get(socket)
    const close = () => {
      clearTimeout(timer)
      destroySoon.call(socket)
    }
    const timer = setTimeout(close, LINGER_MS).unref()
    if (!req || req.complete || req.destroyed) close()
    else req.once('end', close).once('close', close).resume()
  }
}
