import { text } from 'node:stream/consumers'
import { dial } from '../../support/sockets.ts'

/** A request that changes something. */
export type Change = readonly [method: string, path: string, body?: unknown]

/** Sends all of them in the same moment, each over a connection of its own, and gives back their statuses. */
export async function burst(port: number, changes: readonly Change[]): Promise<number[]> {
  const sockets = await Promise.all(changes.map(() => dial(port)))
  return Promise.all(
    sockets.map(async (socket, at) => {
      const [method, path, body] = changes[at] ?? ['GET', '/']
      const content = body === undefined ? '' : JSON.stringify(body)
      const head = [
        `${method} ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(content)}`,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n${content}`)
      return Number((await text(socket)).split(' ')[1])
    }),
  )
}
