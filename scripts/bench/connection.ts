import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ResponseReader } from './response-reader.ts'

const READ_BYTES = 64 * 1024
/** Nothing that is measured may take longer than this. */
const ANSWERS_WITHIN_MS = 60_000

/** One keep-alive connection that asks one thing at a time. */
export interface Connection {
  /** Sends a request as it is; `done` hears the status once the whole answer is there. */
  ask(request: string, done: (status: number) => void): void
  /** Rejects when the server hangs up or sends what is no HTTP. */
  readonly broken: Promise<never>
  close(): void
}

/** Opens a connection to a server on this machine. */
export async function openConnection(port: number): Promise<Connection> {
  let waiting: ((status: number) => void) | undefined
  let fail: (error: Error) => void = () => {}
  const broken = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Whoever is not waiting for it is not interested.
  broken.catch(() => {})

  const reader = new ResponseReader((status) => {
    const done = waiting
    waiting = undefined
    done?.(status)
  })
  const socket: Socket = connect({
    host: 'localhost',
    port,
    noDelay: true,
    // One buffer for all reads: the generator must not spend its time on garbage.
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length, bytes) => {
        try {
          reader.push(Buffer.from(bytes.buffer, bytes.byteOffset, length))
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)))
        }
        return true
      },
    },
  })
  await once(socket, 'connect')
  socket.on('error', fail)
  socket.setTimeout(ANSWERS_WITHIN_MS, () => {
    fail(new Error(`The server on port ${port} said nothing for ${ANSWERS_WITHIN_MS / 1000} s`))
  })
  socket.on('close', () => fail(new Error(`The server on port ${port} closed a connection`)))

  return {
    ask(request, done) {
      waiting = done
      socket.write(request, 'latin1')
    },
    broken,
    close: () => socket.destroy(),
  }
}
