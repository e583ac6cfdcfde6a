import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'
import { asLong } from '../../support/length.ts'

const MB = 1024 * 1024
const DATA = { items: [{ id: 1, name: 'a' }] }
/** A connection breaks in some of many. */
const TURNS = asLong(2, 20)
const HEAD = 'POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** By default, Brotli takes seconds for a few bytes less. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA)
})

// Hooks run in reverse order, even if one fails.
afterAll(() => victim.expectUnharmed())

/** The response until the connection is closed, for a client that keeps sending when told to. */
async function speak(first: string | Buffer): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = await dial(victim.port)
  socket.on('error', () => undefined)
  socket.write(first)
  return { socket, answer: text(socket) }
}

// The server lingers for two seconds with each of them.
describe.concurrent('a body over the limit is answered before it has arrived', () => {
  const TOO_LARGE = /^HTTP\/1\.1 413 [\s\S]*Connection: close[\s\S]*"code": "BODY_TOO_LARGE"/i

  it('when its length says so, to a client that waits for a response', async () => {
    const { answer } = await speak(`${HEAD}Content-Length: ${11 * MB}\r\n\r\n{"a":`)
    expect(await answer).toMatch(TOO_LARGE)
  })

  it('when it has too many chunks, even if more are coming', async () => {
    const chunk = `100000\r\n${'x'.repeat(MB)}\r\n`
    const { answer } = await speak(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(11)}`)
    expect(await answer).toMatch(TOO_LARGE)
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50 * MB, ' '), { level: 1 })],
    ['br', brotliCompressSync(Buffer.alloc(50 * MB, ' '), FAST)],
  ])('when it decompresses to too much: %s', async (encoding, packed) => {
    const length = packed.length + 1
    const head = `${HEAD}Content-Encoding: ${encoding}\r\nContent-Length: ${length}\r\n\r\n`
    const { answer } = await speak(Buffer.concat([Buffer.from(head), packed]))
    expect(await answer).toMatch(TOO_LARGE)
  })

  it('and a client that never stops is cut off', { timeout: 30_000 }, async () => {
    const { socket, answer } = await speak(`${HEAD}Content-Length: ${1e12}\r\n\r\n`)
    // If it is cut off while sending, it may have lost the response.
    const heard = answer.catch(() => '')
    const more = 'x'.repeat(MB)
    const send = () => {
      while (socket.writable && socket.write(more));
    }
    socket.on('drain', send)
    send()
    // Not with `once`, which rejects if the connection fails.
    await new Promise((resolve) => socket.on('close', resolve))
    expect(await heard).toMatch(/^$|^HTTP\/1\.1 413 /)
  })
})

describe('a client that sends 30 MB gets 413 and not a broken connection', () => {
  const body = 'x'.repeat(30 * MB)

  it('with fetch', async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const answer = await fetch(`http://127.0.0.1:${victim.port}/items`, { method: 'POST', body })
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { error: 'Body too large', message: expect.stringContaining('10 MB'), code: 'BODY_TOO_LARGE' },
      ])
    }
  })

  it.each([
    ['with a length', { 'content-length': body.length }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('with http.request, %s', async (_name, headers) => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const outgoing = request({ port: victim.port, path: '/items', method: 'POST', headers, agent: false })
      outgoing.end(body)
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
      expect(incoming?.statusCode).toBe(413)
      expect(incoming && (await text(incoming))).toContain('BODY_TOO_LARGE')
    }
  })

  it.each([
    ['that asks first', []],
    ['that does not ask first', ['-H', 'Expect:']],
  ])('with a curl %s', async (_name, more) => {
    const url = `http://127.0.0.1:${victim.port}/items`
    const curl = spawn('curl', [
      '-sS',
      '-w',
      '\n%{http_code} %{size_upload}',
      '--data-binary',
      '@-',
      ...more,
      url,
    ])
    curl.stdin.on('error', () => undefined).end(body)
    const said = await text(curl.stdout)
    expect(said).toContain('"code": "BODY_TOO_LARGE"')
    expect(said).toMatch(/\n413 \d+$/)
    // The client sent no more than it had to.
    if (more.length === 0) expect(said).toMatch(/\n413 0$/)
  })
})

describe('a client that closes the connection, and sends 9 MB that nothing reads, gets its response', () => {
  it.each<[number, string, string, Readonly<Record<string, string>>]>([
    [200, 'GET', '/items', {}],
    [200, 'GET', '/__service', {}],
    [404, 'GET', '/nothing', {}],
    [204, 'OPTIONS', '/items', {}],
    [304, 'GET', '/items', { 'if-none-match': '*' }],
    [403, 'PUT', '/__clock', { origin: 'http://page.test' }],
  ])('%i of %s %s', async (status, method, path, headers) => {
    const body = 'x'.repeat(9 * MB)
    for (let turn = 0; turn < 5 * TURNS; turn += 1) {
      const all = { ...headers, 'content-length': body.length }
      const outgoing = request({ port: victim.port, path, method, headers: all, agent: false }).end(body)
      const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
      expect(incoming?.statusCode).toBe(status)
      if (incoming) await text(incoming)
    }
  })
})

describe('Expect: 100-continue', () => {
  it('is answered when something reads the body', async () => {
    const head = `${HEAD}Expect: 100-continue\r\nConnection: close\r\n`
    const { socket, answer } = await speak(`${head}Content-Length: 5\r\n\r\n`)
    await once(socket, 'data')
    socket.write('[1,2]')
    expect(await answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 [\s\S]*INVALID_BODY/)
  })

  it('is not answered when nothing does', async () => {
    const guarded = await attack(DATA, { config: { middlewares: ['bearer'] } })
    const socket = await dial(guarded.port)
    socket.write(`${HEAD}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n`)
    const heard = await text(socket)
    expect(heard).toMatch(/^HTTP\/1\.1 401 /)
    expect(heard).not.toContain('100 Continue')
  })
})

it('16 bodies of 9 MB at once all get their response', { timeout: 60_000 }, async () => {
  const busy = await attack(DATA)
  const put = () => busy.ask('PUT', '/items/1', { name: 'x'.repeat(9 * MB) })
  const answers = await Promise.all(Array.from({ length: 16 }, put))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
})
