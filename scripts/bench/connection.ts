import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ResponseReader } from './response-reader.ts'

const READ_BYTES = 64 * 1024
/** Nothing that is measured may take longer than this. */
const ANSWERS_WITHIN_MS = 120_000

/** One keep-alive connection that asks one thing at a time. */
export interface Connection {
  /** Sends a request as it is; `done` hears the status once the whole answer is there. */
  ask(request: string, done: (status: number) => void): void
  /** Rejects when the server hangs up on a request, or sends what is no HTTP. */
  readonly broken: Promise<never>
  close(): void
}

interface Pending {
  readonly request: string
  readonly done: (status: number) => void
  isSentAgain: boolean
}

/** Opens a connection to a server on this machine. */
export async function openConnection(port: number): Promise<Connection> {
  let pending: Pending | undefined
  let fail: (error: Error) => void = () => {}
  const broken = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Whoever is not waiting for it is not interested.
  broken.catch(() => {})

  const answered = (status: number): void => {
    const done = pending?.done
    pending = undefined
    done?.(status)
  }
  /**
   * A server that stood still for five seconds cuts off connections as idle although a request is waiting on
   * them (json-server with much data does). As a browser would, we dial again, once per request.
   */
  const lost = (hasBegun: boolean): void => {
    if (pending === undefined) return
    if (hasBegun || pending.isSentAgain) fail(new Error(`The server on port ${port} closed a connection`))
    else {
      pending.isSentAgain = true
      socket = dial(port, answered, lost, fail)
      socket.write(pending.request, 'latin1')
    }
  }

  let socket = dial(port, answered, lost, fail)
  await once(socket, 'connect')
  return {
    ask(request, done) {
      pending = { request, done, isSentAgain: false }
      if (socket.destroyed) socket = dial(port, answered, lost, fail)
      socket.write(request, 'latin1')
    },
    broken,
    close() {
      pending = undefined
      socket.destroy()
    },
  }
}

function dial(
  port: number,
  answered: (status: number) => void,
  lost: (hasBegun: boolean) => void,
  fail: (error: Error) => void,
): Socket {
  let hasBegun = false
  const reader = new ResponseReader((status) => {
    hasBegun = false
    answered(status)
  })
  const read = (bytes: Buffer): void => {
    hasBegun = true
    try {
      reader.push(bytes)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const socket = connect({
    host: 'localhost',
    port,
    noDelay: true,
    // One buffer for all reads: the generator must not spend its time on garbage.
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length, bytes) => {
        read(Buffer.from(bytes.buffer, bytes.byteOffset, length))
        return true
      },
    },
  })
  socket.setTimeout(ANSWERS_WITHIN_MS, () => {
    fail(new Error(`The server on port ${port} said nothing for ${ANSWERS_WITHIN_MS / 1000} s`))
  })
  // Every error is followed by 'close'.
  socket.on('error', () => {})
  socket.on('close', () => lost(hasBegun))
  return socket
}
