import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { dial } from '../http/sockets.ts'

/** A request that changes something. */
export type Change = readonly [method: string, path: string, body?: unknown]

/** Few, because opening hundreds of connections alone keeps a server busy. */
const CONNECTIONS = 20

/**
 * Sends some requests each millisecond without waiting for responses, pipelined on a few connections: while the first
 * is being saved, the others queue up. Returns their statuses.
 */
export async function burst(port: number, changes: readonly Change[]): Promise<number[]> {
  const sockets = await Promise.all(changes.slice(0, CONNECTIONS).map(() => dial(port)))
  const heard = sockets.map((socket) => text(socket))
  for (const [at, change] of changes.entries()) {
    const isLast = at + CONNECTIONS >= changes.length
    sockets[at % CONNECTIONS]?.write(toMessage(port, change, isLast))
    if (at % 2 === 1) await sleep(1)
  }
  const answers = (await Promise.all(heard)).join('\n')
  return Array.from(answers.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status))
}

function toMessage(port: number, [method, path, body]: Change, isLast: boolean): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(content)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${content}`
}
