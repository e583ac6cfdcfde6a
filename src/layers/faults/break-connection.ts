import { Socket } from 'node:net'
import type { Request, Response } from 'express'
import { LONGEST } from './fault.ts'

const LINGER_MS = 1000

/** Calls back with the connection once the response is the next on it: requests may be pipelined. */
export function onTurn(res: Response, act: (socket: Socket) => void): void {
  if (res.socket) act(res.socket)
  else if (!res.closed) res.once('socket', act)
}

/** The client gets a TCP reset. Under TLS, only the connection below knows how. */
export function resetConnection(res: Response): void {
  onTurn(res, (socket) => {
    const below: unknown = Reflect.get(socket, '_parent')
    if (below instanceof Socket) below.resetAndDestroy()
    else socket.resetAndDestroy()
  })
}

/** The connection is closed in order, without a byte of an answer. */
export function closeWithoutAnswer(req: Request, res: Response): void {
  onTurn(res, (socket) => {
    // Closed on unread bytes, it would be reset.
    req.resume()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}

/** Requests that are never answered. They end when the client leaves, after ten minutes, or when the server closes. */
export class Hangs {
  readonly #waiting = new Set<Response>()
  #isClosed = false

  hold(req: Request, res: Response): void {
    if (this.#isClosed) {
      res.destroy()
      return
    }
    // A request that stays unread would run into a time-out, and be answered.
    req.resume()
    const timer = setTimeout(() => res.destroy(), LONGEST)
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
