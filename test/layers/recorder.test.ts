import compression from 'compression'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/exchange.ts'
import { Feed } from '../../src/feed.ts'
import { apiKey } from '../../src/layers/api-key.ts'
import { bodyParser } from '../../src/layers/body-parser.ts'
import { recorder } from '../../src/layers/recorder.ts'
import { echo } from '../support/echo.ts'

interface Recorded {
  readonly port: number
  /** The next exchange that the feed tells of. */
  next(): Promise<Exchange>
}

async function record(layers: readonly RequestHandler[] = []): Promise<Recorded> {
  const feed = new Feed()
  let take: (exchange: Exchange) => void = () => {}
  feed.listen({ hear: (event) => event.type === 'request' && take(event.data), end() {} })
  const { port } = await echo([compression(), recorder(feed), ...layers])
  return {
    port,
    next: () =>
      new Promise((resolve) => {
        take = resolve
      }),
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('the recorder', () => {
  it('tells method, path, status, time, size, headers and bodies', async () => {
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

  it('masks secrets in URL, headers, forms and JSON, answers included', async () => {
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

  it('keeps the beginning of a long body', async () => {
    const { port, next } = await record(bodyParser)
    const told = next()
    const body = JSON.stringify({ long: 'x'.repeat(50_000) })
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: JSON_TYPE, body })
    const { requestBody } = await told
    expect(requestBody?.size).toBe(body.length)
    expect(requestBody?.isCut).toBe(true)
    expect(requestBody?.text.length).toBeLessThan(17_000)
  })

  it('says that a client left before the answer', async () => {
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

  it('does not touch a request while nobody listens', async () => {
    const touched: unknown[] = []
    const { port } = await echo([
      recorder(new Feed()),
      ((req, res, next) => {
        touched.push(
          req.listenerCount('newListener'),
          Object.hasOwn(res, 'write'),
          res.listenerCount('close'),
        )
        next()
      }) satisfies RequestHandler,
    ])
    await fetch(`http://127.0.0.1:${port}/`)
    expect(touched).toEqual([0, false, 0])
  })
})
