import type { Socket } from 'node:net'
import type { Response } from 'express'
import { onTurn } from './break-connection.ts'

/** Bytes to hold back of a response whose length is unknown; past it, the connection is closed there. */
const MOST_HELD = 16 * 1024 * 1024

type Callback = (error?: Error | null) => void

/** Lets half of the body's bytes pass, then closes the connection: counted on the socket, behind compression and chunks. */
export function truncate(res: Response): void {
  onTurn(res, (socket) => {
    const half = new FirstHalf(res, socket)
    const { write } = socket
    socket.write = (data: unknown, ...rest: unknown[]) => {
      // `100 Continue` comes before the response.
      if (!res.headersSent) return Reflect.apply(write, socket, [data, ...rest])
      const [encoding] = rest
      half.take(bytesOf(data, encoding), (bytes) => Reflect.apply(write, socket, [bytes]))
      const done = rest.find((one): one is Callback => typeof one === 'function')
      if (done) process.nextTick(done)
      return true
    }
    res.once('finish', () => half.cut())
  })
}

class FirstHalf {
  readonly #res: Response
  readonly #socket: Socket
  #head: Buffer | undefined = Buffer.alloc(0)
  #held: Buffer[] = []
  #heldBytes = 0
  #sent = 0
  #isCut = false

  constructor(res: Response, socket: Socket) {
    this.#res = res
    this.#socket = socket
  }

  take(bytes: Buffer, pass: (bytes: Buffer) => void): void {
    if (this.#isCut) return
    const body = this.#head === undefined ? bytes : this.#passHead(bytes, pass)
    this.#held.push(body)
    this.#heldBytes += body.length
    const length = Number(this.#res.getHeader('Content-Length') ?? Number.NaN)
    const isKnown = Number.isFinite(length)
    const limit = isKnown ? Math.floor(length / 2) : Math.floor((this.#sent + this.#heldBytes) / 2)
    this.#passUpTo(limit, pass)
    if (isKnown ? this.#sent >= limit : this.#heldBytes > MOST_HELD) this.cut()
  }

  cut(): void {
    if (this.#isCut || this.#head !== undefined) return
    this.#isCut = true
    this.#held = []
    this.#socket.destroySoon()
  }

  #passHead(bytes: Buffer, pass: (bytes: Buffer) => void): Buffer {
    const seen = Buffer.concat([this.#head ?? Buffer.alloc(0), bytes])
    const end = seen.indexOf('\r\n\r\n')
    if (end === -1) {
      this.#head = seen
      return Buffer.alloc(0)
    }
    this.#head = undefined
    pass(seen.subarray(0, end + 4))
    return seen.subarray(end + 4)
  }

  #passUpTo(limit: number, pass: (bytes: Buffer) => void): void {
    while (this.#sent < limit) {
      const [first] = this.#held
      if (first === undefined) return
      const part = first.subarray(0, limit - this.#sent)
      if (part.length === first.length) this.#held.shift()
      else this.#held[0] = first.subarray(part.length)
      this.#sent += part.length
      this.#heldBytes -= part.length
      if (part.length > 0) pass(part)
    }
  }
}

function bytesOf(data: unknown, encoding: unknown): Buffer {
  if (typeof data === 'string') {
    return Buffer.from(data, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
  }
  return data instanceof Uint8Array
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.alloc(0)
}
