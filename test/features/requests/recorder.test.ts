import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { gzipSync } from 'node:zlib'
import compression from 'compression'
import type { RequestHandler } from 'express'
import { describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../../../src/core/kernel/catalogue/exchange.ts'
import { Feed } from '../../../src/core/kernel/util/feed.ts'
import { apiKey } from '../../../src/core/layers/api-key.ts'
import { bodyParser } from '../../../src/core/layers/body-parser.ts'
import { RequestRecorder } from '../../../src/features/requests/recorder.ts'
import { LogRoom, RequestLog } from '../../../src/features/requests/request-log.ts'
import { catchConsole } from '../../support/console.ts'
import { echo } from '../../support/http/echo.ts'
import { inWorld } from '../../support/http/in-world.ts'

interface Recorded {
  readonly port: number
  /** The next exchange that the feed tells of. */
  next(): Promise<Exchange>
}

async function record(layers: readonly RequestHandler[] = []): Promise<Recorded> {
  const feed = new Feed()
  let take: (exchange: Exchange) => void = () => {}
  feed.listen({ onEvent: (event) => event.type === 'request' && take(event.data), end() {} })
  const { port } = await echo([compression(), inWorld(() => ({ feed })), recorder(), ...layers])
  return {
    port,
    next: () =>
      new Promise((resolve) => {
        take = resolve
      }),
  }
}

function recorder(): RequestHandler {
  const base = new RequestLog(new LogRoom())
  return new RequestRecorder({ base, fork: () => base }).handler
}

/** JSON text that hardly gets smaller. */
function noise(bytes: number): string {
  return JSON.stringify(randomBytes(bytes).toString('base64url'))
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('the recorder', () => {
  it('reports method, path, status, time, size, headers and bodies', async () => {
    const { port, next } = await record(bodyParser)
    const told = next()
    const response = await fetch(`http://127.0.0.1:${port}/things?a=1`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'X-Trace': 'seen' },
      body: '{"name":"x"}',
    })
    const text = await response.text()
    const exchange = await told
    expect(exchange).toMatchObject({
      id: 1,
      method: 'POST',
      path: '/things?a=1',
      status: 200,
      size: text.length,
    })
    expect(exchange.ms).toBeGreaterThanOrEqual(0)
    expect(Date.parse(exchange.time)).toBeLessThanOrEqual(Date.now())
    expect(exchange.requestHeaders).toMatchObject({ 'x-trace': 'seen' })
    expect(exchange.responseHeaders['content-type']).toContain('json')
    expect(exchange.requestBody).toEqual({ text: '{"name":"x"}', size: 12, isCut: false })
    expect(exchange.responseBody?.text).toBe(text)
  })

  it('names the layer that refused, with its code and message', async () => {
    const { port, next } = await record([apiKey()])
    const told = next()
    await fetch(`http://127.0.0.1:${port}/`)
    expect(await told).toMatchObject({
      status: 401,
      layer: 'api-key',
      code: 'API_KEY_MISSING',
      message: /key/i,
    })
  })

  it('masks secrets in URLs, headers, forms and JSON, responses included', async () => {
    const { port, next } = await record(bodyParser)
    for (const [type, body] of [
      ['application/json', '{"password":"hush","a":1}'],
      ['application/x-www-form-urlencoded', 'password=hush&a=1'],
      ['application/x-www-form-urlencoded', '{"password":"hush","a":1}'],
    ] as const) {
      const told = next()
      await fetch(`http://127.0.0.1:${port}/?token=hush`, {
        method: 'POST',
        headers: {
          'Content-Type': type,
          Authorization: 'Bearer hush',
          'X-API-KEY': 'hush',
          Cookie: 'session=hush',
          Referer: 'http://localhost/?api_key=hush',
        },
        body,
      })
      const { responseBody, ...rest } = await told
      expect(JSON.stringify(rest)).not.toContain('hush')
      // The echo repeats the URL as a plain value, which no name gives away.
      expect(responseBody?.text).toContain('"password":"***"')
    }
  })

  it('keeps the start of a long body', async () => {
    const { port, next } = await record(bodyParser)
    const told = next()
    const body = JSON.stringify({ long: 'x'.repeat(50_000) })
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: JSON_TYPE, body })
    const { requestBody } = await told
    expect(requestBody?.size).toBe(body.length)
    expect(requestBody?.isCut).toBe(true)
    expect(requestBody?.text.length).toBeLessThan(17_000)
  })

  it.each([
    ['text/plain; charset=utf-8; token=hush', 'password: hush', '(text/plain, 14 bytes)'],
    ['text/xml', '<password>hush</password>', '(text/xml, 25 bytes)'],
    ['password=hush', 'hush', '(password, 4 bytes)'],
  ])('shows type and size of what is neither JSON nor a form: %s', async (type, body, text) => {
    const { port, next } = await record([
      (req, res) => void req.on('data', () => {}).once('end', () => res.end()),
    ])
    const told = next()
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { 'Content-Type': type }, body })
    const { requestBody } = await told
    expect(requestBody).toEqual({ text, size: body.length, isCut: false, isLeftOut: true })
  })

  it('does not unpack a request body that starts like gzip', async () => {
    const { port, next } = await record(bodyParser)
    const told = next()
    const body = Buffer.from([0x1f, 0x8b, 0x08, 0x41])
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: JSON_TYPE, body })
    expect((await told).requestBody).toMatchObject({ text: '(application/json, 4 bytes)', size: 4 })
  })

  it.each<[string, Buffer, RegExp, boolean]>([
    [
      'the text of one that is packed',
      gzipSync('{"a":1,"token":"hush"}'),
      /^\{"a":1,"token":"\*\*\*"\}$/,
      false,
    ],
    ['the beginning of one that is long', gzipSync(noise(40_000)), /^"[\w-]{16383}$/, true],
    ['only the size of one that unpacks to very much', gzipSync(`"${'x'.repeat(16e6)}"`), /^\(gzip, /, false],
    ['only the size of one that is too long to read', gzipSync(noise(400_000)), /^\(gzip, /, false],
    [
      'only the size of one that is broken',
      Buffer.from([0x1f, 0x8b, 0x08, 0x41]),
      /^\(gzip, 4 bytes\)$/,
      false,
    ],
    ['a plain one that is called packed', Buffer.from('{"a":1}'), /^\{"a":1\}$/, false],
  ])('shows responses %s', async (_what, body, text, isCut) => {
    const { port, next } = await record([
      (_req, res) => void res.set({ ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(body),
    ])
    const told = next()
    await new Promise((resolve) => get({ port }, (response) => response.resume().once('end', resolve)))
    const { responseBody } = await told
    expect(responseBody?.text).toMatch(text)
    expect(responseBody).toMatchObject({ size: body.length, isCut })
  })

  it('contains errors of a listener, which would end the process', async () => {
    const written = catchConsole('warn')
    const feed = new Feed()
    feed.listen({
      onEvent() {
        throw new Error('deaf')
      },
      end() {},
    })
    const { port } = await echo([inWorld(() => ({ feed })), recorder()])
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    await vi.waitFor(() => expect(written).toEqual(['A request could not be recorded: deaf']))
  })

  it('reports that a client left before the response', async () => {
    let arrived: () => void = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { port, next } = await record([() => arrived()])
    const told = next()
    const abort = new AbortController()
    const response = fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
    await arrival
    abort.abort()
    await expect(response).rejects.toThrow()
    expect((await told).status).toBe(0)
  })
})
