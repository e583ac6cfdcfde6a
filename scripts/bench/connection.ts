import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A keep-alive connection that sends one request at a time. */
export interface Connection {
  /** Sends a request verbatim, and resolves with the status once the whole response has arrived. */
  ask(request: string): Promise<number>
  close(): void
}

interface Exchange {
  readonly read: (bytes: Buffer) => number | undefined
  readonly resolve: (status: number) => void
  readonly reject: (error: Error) => void
}

/** Nothing that is measured may take longer than this. */
const RESPONDS_WITHIN_MS = 120_000
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Connects to a server on this machine. */
export async function openConnection(port: number): Promise<Connection> {
  let current: Exchange | undefined
  let socket = dial()
  await once(socket, 'connect')
  return {
    // A server that was blocked for five seconds closes connections as idle even if a request is waiting on them
    // (json-server with much data does). Like a browser, we reconnect once.
    ask: (request) => exchange(request).catch(() => exchange(request)),
    close() {
      current = undefined
      socket.destroy()
    },
  }

  function exchange(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      current = { read: responseReader(), resolve, reject }
      if (socket.destroyed) socket = dial()
      socket.write(request, 'latin1')
    })
  }

  function dial(): Socket {
    // One buffer for all reads: the load generator must not spend its time on garbage collection.
    const onread = { buffer: Buffer.allocUnsafe(64 * 1024), callback: receive }
    const dialled = connect({ host: 'localhost', port, noDelay: true, onread })
    dialled.setTimeout(RESPONDS_WITHIN_MS, () => dialled.destroy())
    dialled.on('error', () => {})
    return dialled.on('close', () => {
      if (dialled === socket) current?.reject(new Error(`The server on port ${port} closed a connection`))
    })
  }

  function receive(length: number, { buffer, byteOffset }: Uint8Array): boolean {
    const status = current?.read(Buffer.from(buffer, byteOffset, length))
    if (status !== undefined) current?.resolve(status)
    return true
  }
}

/**
 * Consumes the bytes of one response, and returns its status with the last of them. Nothing else is in flight on the
 * connection, so only the head needs parsing, and a chunked body ends where the bytes end with the last chunk.
 */
function responseReader(): (bytes: Buffer) => number | undefined {
  let text = ''
  let received = 0
  let size = 0
  let status = 0
  return function read(bytes) {
    received += bytes.length
    text += bytes.toString('latin1')
    if (status === 0) {
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1]
      size = length === undefined ? Number.POSITIVE_INFINITY : end + 4 + Number(length)
      status = Number(text.slice(9, 12))
    }
    text = text.slice(-LAST_CHUNK.length)
    const isLast = received >= size || (size === Number.POSITIVE_INFINITY && text === LAST_CHUNK)
    return isLast ? status : undefined
  }
}
