import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { afterEach, expect, it } from 'vitest'
import { loadCertificate } from '../../../src/features/https/certificate.ts'
import type { Certificate } from '../../../src/features/tls.ts'
import { type ListeningServer, type ListenOptions, listen } from '../../../src/serve/server/listen.ts'
import { folderOf } from '../../support/folder.ts'
import { ask, dial, hello, slowApp } from '../../support/http/sockets.ts'

const cleanUps: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

it.each([
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['noise', '\0\x01\x02\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  [
    'a header with a control character',
    'GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  [
    'an expectation that nobody knows',
    'POST / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 1\r\n\r\n',
    417,
    'EXPECTATION_FAILED',
  ],
  ['a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  [
    'headers of 1 MB',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(1_000_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
])('%s is answered in JSON', async (_name, sent, status, code) => {
  const listener = await listenWith({ port: 0 })
  const socket = await dial(listener.port)
  socket.write(sent, 'latin1')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toMatch(/Content-Type: application\/json/)
  expect(head).toMatch(/Connection: close/)
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), message: expect.any(String), code })
  expect(await ask({ port: listener.port })).toBe('hello')
})

it.each([
  ['HTTPS', 'HTTP', 'GET', 'its URL has to begin with http://, or start with --ssl.'],
  ['HTTP', 'HTTPS', 'GET', 'its URL has to begin with https://.'],
  ['HTTP', 'HTTPS', 'OPTIONS', 'its URL has to begin with https://.'],
])('%s sent to a port that serves %s is explained once, by %s', async (sent, served, method, remedy) => {
  const lines: string[] = []
  const tls = served === 'HTTPS' ? await certificate() : undefined
  const { port } = await listenWith({ port: 0, log: (line) => lines.push(line), ...(tls && { tls }) })
  for (const scheme of ['once', 'twice']) {
    const url = `${sent.toLowerCase()}://localhost:${port}/${scheme}`
    await expect(fetch(url, { method })).rejects.toThrow('fetch failed')
  }
  expect(lines).toEqual([`A client sent ${sent} to this port, which serves ${served}: ${remedy}`])
})

it('HTTP/1.0 needs no Host', async () => {
  const listener = await listenWith({ port: 0 })
  const socket = await dial(listener.port)
  socket.write('GET / HTTP/1.0\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
})

it.each([
  ['silence', ''],
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body that never ends', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'],
])('gives up on %s', async (_name, sent) => {
  const timeOuts = { headers: 50, request: 50, keepAlive: 50, check: 20 }
  const app = express().use((req, res) => req.on('end', () => void res.end('whole')).resume())
  const listener = await listen(app, { port: 0, timeOuts })
  cleanUps.push(() => listener.close())
  const socket = await dial(listener.port)
  socket.write(sent)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code": "REQUEST_TIMEOUT"/)
})

it('gives up on a TLS connection that never finishes its handshake', async () => {
  const timeOuts = { headers: 50, request: 50, keepAlive: 50, check: 20 }
  const tls = await certificate()
  const listener = await listen(hello(), { port: 0, tls, timeOuts })
  cleanUps.push(() => listener.close())
  const start = performance.now()
  const sockets = await Promise.all([dial(listener.port), dial(listener.port)])
  // The beginning of a handshake, and nothing at all.
  sockets[0]?.write(Buffer.from([0x16, 0x03, 0x01, 0x02]))
  const closed = (socket: Socket) =>
    new Promise((resolve) =>
      socket
        .on('error', () => undefined)
        .on('close', resolve)
        .resume(),
    )
  await Promise.all(sockets.map(closed))
  expect(performance.now() - start).toBeLessThan(5000)
})

it('writes nothing into the middle of another response', async () => {
  const { app, arrived, finish } = slowApp('early ')
  const listener = await listen(app, { port: 0 })
  cleanUps.push(() => listener.close())
  const socket = await dial(listener.port)
  socket.on('error', () => undefined)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived
  socket.write('noise\r\n\r\n')
  await once(socket, 'close')
  finish()
  expect(received).not.toContain('MALFORMED_REQUEST')
})

async function certificate(): Promise<Certificate> {
  const folder = folderOf()
  return loadCertificate(undefined, folder)
}

async function listenWith(options: ListenOptions): Promise<ListeningServer> {
  const listener = await listen(hello(), options)
  cleanUps.push(() => listener.close())
  return listener
}
