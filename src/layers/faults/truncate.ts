import type { Response } from 'express'
import { chunkBytes } from '../_chunk-bytes.ts'
import { onTurn } from './break-connection.ts'

/** Bytes of a response to hold back; a longer one is cut there. */
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
    res.once('finish', cut)

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
