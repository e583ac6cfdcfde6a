import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setInterval as every } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, router } from '../../../src/index.ts'
import { type ListeningServer, listen } from '../../../src/serve/server/listen.ts'
import { exchange } from '../../support/http/exchange.ts'
import { dial } from '../../support/http/sockets.ts'

const DATA = { items: [{ id: 1, name: 'a' }] }

describe('with short timeouts', () => {
  const data = structuredClone(DATA)
  let listener: ListeningServer

  beforeEach(async () => {
    const app = create().use(router(data))
    listener = await listen(app, {
      port: 0,
      host: '127.0.0.1',
      timeOuts: { headers: 400, request: 800, keepAlive: 300, check: 50 },
    })
  })

  afterEach(async () => {
    await listener.close()
    expect(data).toEqual(DATA)
  })

  const HEAD = 'POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const BODY = JSON.stringify({ name: 'drop by drop'.repeat(100) })

  it.each([
    ['headers', `${HEAD}${'X-A: b\r\n'.repeat(500)}`],
    ['a body', `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`],
    ['a body in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1000)}`],
  ])(
    'a hundred clients that send %s drop by drop are cut off, and others are served meanwhile',
    async (_name, bytes) => {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => dial(listener.port)))
      const answers = sockets.map((socket) => text(socket.on('error', () => undefined)))
      const drops = new AbortController()
      const dropping = drip(sockets, bytes, drops.signal)
      expect((await exchange(listener.port, { method: 'GET', path: '/items' })).status).toBe(200)
      for (const answer of await Promise.all(answers)) {
        expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code": "REQUEST_TIMEOUT"/)
      }
      drops.abort()
      await dropping
    },
  )

  it('a client that stops sending too early is disconnected', async () => {
    const socket = await dial(listener.port)
    socket.end(`${HEAD}Content-Length: 100\r\n\r\n{"name":`)
    await once(socket.resume(), 'close')
  })

  it('a client that is done sending still gets its response', async () => {
    const socket = await dial(listener.port)
    socket.end('GET /items/1 HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('an idle connection is closed', async () => {
    const socket = await dial(listener.port)
    socket.write('GET /items/1 HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

/** Sends single bytes on all sockets until told to stop. */
async function drip(sockets: readonly Socket[], bytes: string, signal: AbortSignal): Promise<void> {
  let at = 0
  try {
    for await (const _ of every(20, undefined, { signal })) {
      for (const socket of sockets) if (socket.writable) socket.write(bytes.charAt(at))
      at += 1
    }
  } catch {
    // Told to stop.
  }
}
