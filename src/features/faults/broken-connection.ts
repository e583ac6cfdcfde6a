import { Socket } from 'node:net'
import type { Request, Response } from 'express'
import { chunkBytes } from '../../core/layers/parts/captured-body.ts'
import { LONGEST_FAULT } from '../fault-options.ts'

const LINGER_MS = 1000

/** Calls back with the connection once the response is the next on it: requests may be pipelined. */
function onTurn(res: Response, act: (socket: Socket) => void): void {
  if (res.socket) act(res.socket)
  else if (!res.closed) res.once('socket', act)
}

/** Sends a TCP reset, under TLS on the connection below. */
export function resetConnection(res: Response): void {
  onTurn(res, (socket) => {
    const below: unknown = Reflect.get(socket, '_parent')
    if (below instanceof Socket) below.resetAndDestroy()
    else socket.resetAndDestroy()
  })
}

/** Closes the connection in order, without a byte of a response. */
export function closeWithoutResponse(req: Request, res: Response): void {
  onTurn(res, (socket) => {
    // Closed on unread bytes, it would be reset.
    req.resume()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Requests without a response. They end when the client leaves, after ten minutes, or when the server closes. */
export class Hangs {
  readonly #waiting = new Set<Response>()
  #isClosed = false

  hold(req: Request, res: Response): void {
    if (this.#isClosed) {
      res.destroy()
      return
    }
    // Unread, the request would time out and get a response.
    req.resume()
    const timer = setTimeout(() => res.destroy(), LONGEST_FAULT)
    this.#waiting.add(res)
    res.once('close', () => {
      clearTimeout(timer)
      this.#waiting.delete(res)
    })
  }

  close(): void {
    this.#isClosed = true
    for (const res of this.#waiting) res.destroy()
  }
}

const MOST_HELD = 16 * 1024 * 1024

type Callback = (error?: Error | null) => void

/** Lets half of the body's bytes pass, then closes the connection: counted on the socket, behind compression and chunks. */
export function truncate(res: Response): void {
  onTurn(res, (socket) => {
    const { write } = socket
    const send = (...args: unknown[]): boolean => Reflect.apply(write, socket, args)
    const held: Uint8Array[] = []
    let size = 0
    let isCut = false
    socket.write = (...args: unknown[]) => {
      // `100 Continue` comes before the response.
      if (!res.headersSent) return send(...args)
      const bytes = chunkBytes(args[0], args[1])
      if (bytes && !isCut) {
        held.push(bytes)
        size += bytes.length
      }
      if (size > MOST_HELD) cut()
      const done = args.find((one): one is Callback => typeof one === 'function')
      if (done) process.nextTick(done)
      return true
    }
    // Before Node's own listener, which closes the connection or lets the next response on it.
    res.prependOnceListener('finish', cut)

    function cut(): void {
      if (isCut) return
      isCut = true
      const bytes = Buffer.concat(held)
      const head = bytes.indexOf('\r\n\r\n') + 4
      send(bytes.subarray(0, head + Math.floor((bytes.length - head) / 2)))
      socket.destroySoon()
    }
  })
}
