import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Connection = Awaited<ReturnType<typeof openConnection>>

/** Nothing that is measured may take longer than this. */
const RESPONDS_WITHIN_MS = 120_000
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** A keep-alive connection to a server on this machine that sends one request at a time. */
export async function openConnection(port: number) {
  let current: { read: (bytes: Buffer) => void; reject: (error: Error) => void } | undefined
  let socket = dial()
  await once(socket, 'connect')
  return {
    /**
     * Sends a request verbatim, and resolves with the status once the whole response has arrived. A server that was
     * blocked for five seconds closes connections as idle even if a request is waiting on them (json-server with much
     * data does). Like a browser, we reconnect once.
     */
    ask: (request: string) => exchange(request).catch(() => exchange(request)),
    close() {
      current = undefined
      socket.destroy()
    },
  }

  function exchange(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      current = { read: responseReader(resolve), reject }
      if (socket.destroyed) socket = dial()
      socket.write(request, 'latin1')
    })
  }

  function dial(): Socket {
    // One buffer for all reads: the load generator must not spend its time on garbage collection.
    const buffer = Buffer.allocUnsafe(64 * 1024)
    const callback = (length: number): boolean => {
      current?.read(buffer.subarray(0, length))
      return true
    }
    const dialled = connect({ host: 'localhost', port, noDelay: true, onread: { buffer, callback } })
    dialled.setTimeout(RESPONDS_WITHIN_MS, () => dialled.destroy())
    dialled.on('error', () => {})
    return dialled.on('close', () => {
      if (dialled === socket) current?.reject(new Error(`The server on port ${port} closed a connection`))
    })
  }
}

/**
 * Consumes the bytes of one response, and passes its status on with the last of them. Nothing else is in flight on the
 * connection, so only the head needs parsing, and a chunked body ends where the bytes end with the last chunk.
 */
function responseReader(done: (status: number) => void): (bytes: Buffer) => void {
  let [text, received, size, status] = ['', 0, Number.POSITIVE_INFINITY, 0]
  return function read(bytes) {
    received += bytes.length
    text += bytes.toString('latin1')
    if (status === 0) {
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1]
      if (length !== undefined) size = end + 4 + Number(length)
      status = Number(text.slice(9, 12))
    }
    text = text.slice(-LAST_CHUNK.length)
    if (received >= size || (size === Number.POSITIVE_INFINITY && text === LAST_CHUNK)) done(status)
  }
}
